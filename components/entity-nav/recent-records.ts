import { useSyncExternalStore } from 'react'
import { readPrivate, writePrivate } from '@/components/ui/private-storage'

/** A record that was opened. */
export type RecentRecord = { entity: string; id: string; title: string }

const MAX_RECORDS = 5
const MAX_TITLE = 80
const NONE: readonly RecentRecord[] = []
const listeners = new Set<() => void>()
let known: { text: string | null; records: readonly RecentRecord[] } = { text: null, records: NONE }

const NAME = 'recent-records'

/** The records that the person opened last on this device, the latest first. */
export const useRecentRecords = (): readonly RecentRecord[] =>
  useSyncExternalStore(subscribe, read, () => NONE)

/** `records` with `record` first, without its earlier mention. */
export const withRecord = (records: readonly RecentRecord[], record: RecentRecord) =>
  [
    { ...record, title: record.title.slice(0, MAX_TITLE) },
    ...records.filter(({ entity, id }) => entity !== record.entity || id !== record.id),
  ].slice(0, MAX_RECORDS)

export function rememberRecord(record: RecentRecord): void {
  writePrivate(NAME, JSON.stringify(withRecord(read(), record)))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

// The same list while the text is the same, as useSyncExternalStore needs.
function read(): readonly RecentRecord[] {
  const text = readPrivate(NAME)
  if (text !== known.text) known = { text, records: parseRecords(text) }
  return known.records
}

export function parseRecords(text: string | null): readonly RecentRecord[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isRecord).slice(0, MAX_RECORDS) : NONE
  } catch {
    return NONE
  }
}

const isRecord = (each: unknown): each is RecentRecord =>
  typeof each === 'object' &&
  each !== null &&
  ['entity', 'id', 'title'].every((field) => typeof Reflect.get(each, field) === 'string')
