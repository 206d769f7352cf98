import type { FileDetail } from '@/lib/definitions/file-detail'
import { literalOf, stringifyExactly } from '@/lib/values/exact-numbers'
import type { Json } from '@/lib/values/json'
import { isStorableText, toStorableText } from '@/lib/values/storable'
import { type AboutFault, FaultGroups } from './fault-groups'

/** Faults of records: the first `MAX_DETAILS`, the number of all, and all by rule. */
export type RecordFaults = {
  details: FileDetail[]
  count: number
  groups: FaultGroups
  /** The number of records that have any. */
  records: number
  /** Index of the last of them; records are checked in order. */
  last: number | undefined
  /** Called with every fault, also those beyond the first `MAX_DETAILS`. */
  onFault?: (index: number | undefined, detail: FileDetail) => void
}

export const MAX_DETAILS = 100

export const noFaults = (): RecordFaults => ({
  details: [],
  count: 0,
  groups: new FaultGroups(),
  records: 0,
  last: undefined,
})

/** `detail` is only called when its result is used. */
export function addFault(faults: RecordFaults, about: AboutFault, detail: () => FileDetail): void {
  const isKept = faults.count++ < MAX_DETAILS
  const made = isKept || faults.onFault ? detail() : null
  if (isKept && made) faults.details.push(made)
  if (made) faults.onFault?.(about.index, made)
  faults.groups.note(about)
  if (faults.records === 0 || about.index !== faults.last) faults.records++
  faults.last = about.index
}

/** RFC 6901 pointer to a field of a record, printable even if the name is not. */
export const pointerTo = (name: string): string =>
  `/${showableText(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

const MAX_SHOWN_CHARS = 200

/** A value by which faults are counted: numbers that a double would round as their digits. */
export const shownIn = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && value.length <= MAX_SHOWN_CHARS ? showable(value) : value

/**
 * A value that can be shown with a fault: short and storable. Marked numbers (see `literalOf`)
 * and values that contain them become text.
 */
export function showable(value: Json): Json {
  if (typeof value === 'string') return showableText(literalOf(value) ?? value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (sizeOf(value, MAX_SHOWN_CHARS) > MAX_SHOWN_CHARS) return Array.isArray(value) ? '[…]' : '{…}'
  const text = stringifyExactly(value)
  const storable = isStorableText(text) && !/\\u(0000|d[89a-f]..)/.test(text)
  const isShown = storable && text.length <= MAX_SHOWN_CHARS && text === JSON.stringify(value)
  return isShown ? JSON.parse(text) : showableText(text)
}

function showableText(text: string): string {
  const cut = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS - 1)}…` : text
  return toStorableText(cut)
}

/** Counts values until `limit` is exceeded, so that size and depth are bounded. */
function sizeOf(value: Json, limit: number): number {
  const waiting: Json[] = [value]
  let size = 0
  for (let next = waiting.pop(); next !== undefined && size <= limit; next = waiting.pop()) {
    size++
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    size += inner.length
    if (size <= limit) waiting.push(...inner)
  }
  return size
}
