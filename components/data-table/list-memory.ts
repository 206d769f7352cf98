import { createContext, use, useEffect, useState } from 'react'
import { readPrivate, writePrivate } from '@/components/ui/private-storage'
import { exactJsonText } from '@/lib/values/exact-json'
import { type ListParams, readListText } from './list-params'

/** Under which name lists inside of it keep what they show; null: they don't. */
export const ListMemory = createContext<string | null>(null)

export const useListMemory = () => use(ListMemory)

const nameOf = (key: string) => `list:${key}`

/** Keeps what a list shows (`toListText`) on this device. */
export const rememberList = (key: string, text: string) => writePrivate(nameOf(key), text || null)

export const rememberedList = (key: string): Partial<ListParams> | null => {
  const text = readPrivate(nameOf(key))
  return text ? readListText(text) : null
}

type Resuming = {
  /** The address names nothing: take over what was shown last. */
  isBare: boolean
  cols: string[] | null
  /** The columns are those of a saved view. */
  hasView: boolean
  resume: (params: Partial<ListParams>) => void
  /** What is shown where nothing is remembered. */
  initially?: Partial<ListParams>
}

/**
 * Brings back what the list showed when it was left. The address stays the truth: a part that it names is not
 * touched. Columns come back to addresses of filters too, since links do not name them. Returns the filter and search
 * that came back, as `filterText`.
 */
export function useResumedList(key: string, resuming: Resuming): string | null {
  const { isBare, cols, hasView, resume, initially } = resuming
  const [resumed, setResumed] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival alone; later the user decides
  useEffect(() => {
    const remembered = rememberedList(key)
    const params = remembered ?? initially
    if (isBare && params) resume(params)
    if (isBare && remembered) setResumed(filterText(remembered))
  }, [key])
  useEffect(() => {
    const kept = cols === null && !hasView ? rememberedList(key)?.cols : null
    if (kept) resume({ cols: kept })
  }, [key, cols, hasView, resume])
  return resumed
}

/** The same text for the same filter and search. */
export const filterText = ({ filter = [], q = '' }: Partial<ListParams>): string =>
  exactJsonText([filter, q])
