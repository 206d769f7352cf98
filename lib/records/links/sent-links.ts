import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { type FieldNaming, placeOf } from '@/lib/rows/field-naming'
import { pointerTo } from '@/lib/rows/record-faults'
import type { Json } from '@/lib/values/json'
import { MAX_RECORDS } from '../contract'
import { elementsOf, readParts, type SentElement } from '../read-parts'
import { takeFields } from '../take-fields'
import { linkLists, type ReadableList, requireReadable } from './link-lists'

/** A key of the other side, and its place in the request. */
export type SentKey = { key: Json; pointer: string }

/** What a record of the request says of a list; without `set`, what is neither added nor removed stays. */
export type SentList = {
  /** Of the record. */
  index: number
  list: ReadableList
  pointer: string
  set: boolean
  add: SentKey[]
  remove: SentKey[]
}

export type Sent<T extends Json> = { records: readonly T[]; lists: SentList[] }

type Sender = { actor: Actor; naming: FieldNaming; entities: readonly Entity[] }

/** Takes the lists of linked records out of `records`. Throws `invalid_input` for what is no list, and as `requireReadable` does. */
export function takeLists<T extends Json>(
  entity: Entity,
  records: readonly T[],
  { actor, naming, entities }: Sender,
): Sent<T> {
  const lists: SentList[] = []
  const faults: Validation[] = []
  const readable = new Map<string, ReadableList>()
  const rest = takeFields(records, linkLists(entity, entities), (index, found, value) => {
    const { name } = found
    const list = readable.get(name) ?? requireReadable(entity, found, actor, entities)
    readable.set(name, list)
    const pointer = `${placeOf(naming, index)}${pointerTo(name)}`
    const read = readList(value, pointer)
    if (Array.isArray(read)) faults.push(...read)
    else lists.push({ index, list, pointer, ...read })
  })
  if (keyCount(lists) > MAX_RECORDS)
    faults.push({ field: lists[0]?.pointer ?? '', error: `At most ${MAX_RECORDS} keys a request` })
  requireNone(faults)
  return { records: rest, lists }
}

export const keyCount = (lists: readonly SentList[]): number =>
  lists.reduce((sum, { add, remove }) => sum + add.length + remove.length, 0)

const SHAPE = 'Must be a list of keys, or { "add": [keys], "remove": [keys] }'

function readList(
  value: Json,
  pointer: string,
): Pick<SentList, 'set' | 'add' | 'remove'> | Validation[] {
  if (Array.isArray(value))
    return { set: true, add: elementsOf(value, pointer).map(keyIn), remove: [] }
  const parts = readParts(value, pointer, ['add', 'remove'], SHAPE)
  if (Array.isArray(parts)) return parts
  return { set: false, add: parts.add.map(keyIn), remove: parts.remove.map(keyIn) }
}

const keyIn = ({ value, pointer }: SentElement): SentKey => ({ key: value, pointer })

const MAX_FAULTS = 100

/** Throws `invalid_input` that names every fault (the first 100). */
export function requireNone(faults: readonly Validation[]): void {
  if (faults.length > 0) throw refusalOf(faults, 'invalid_input')
}

export function refusalOf(
  faults: readonly Validation[],
  code: 'invalid_input' | 'conflict',
): AppError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const validations = faults.slice(0, MAX_FAULTS)
  return new AppError(code, `${first?.field}: ${first?.error}${more}`, { validations })
}
