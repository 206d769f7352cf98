import { create } from 'zustand'
import { messageOf } from '@/lib/errors'
import { ApiError } from '@/lib/http/client'
import type { ImportItem } from './import-item'
import { FileFault } from './no-table'

/** The imports of this tab. They outlive the pages that show them. */
export const useImports = create<readonly ImportItem[]>(() => [])

const isCalled = (id: string) => (item: ImportItem) => item.id === id || item.result?.id === id

/** By its own id, or that of the server. */
export const findItem = (id: string) => useImports.getState().find(isCalled(id))
export const useItem = (id: string) => useImports((items) => items.find(isCalled(id)))

export const addItem = (item: ImportItem) => useImports.setState((items) => [...items, item], true)

export const changeItem = (id: string, part: Partial<ImportItem>) =>
  useImports.setState(
    (items) => items.map((item) => (item.id === id ? { ...item, ...part } : item)),
    true,
  )

const running = new Map<string, AbortController>()

/** Ends what is done for an item. */
export const stopItem = (id: string) => running.get(id)?.abort()

export function removeItem(id: string): void {
  stopItem(id)
  useImports.setState((items) => items.filter((item) => item.id !== id), true)
}

/**
 * Does `work` for an item in place of what was done before. Notes why it failed, and the state of the item then, unless
 * it was stopped.
 */
export async function workOn(
  id: string,
  stateAfterFailure: ImportItem['state'],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  stopItem(id)
  const stop = new AbortController()
  running.set(id, stop)
  try {
    await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) return
    const isFileFault = error instanceof FileFault
    changeItem(id, { state: stateAfterFailure, error: sentenceOf(error), isFileFault })
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof ApiError && error.status === 404
    ? 'This import is no longer on the server.'
    : messageOf(error)
