import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { type FieldNaming, pointerTo } from '@/lib/rows/record-faults'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { shorten } from '@/lib/values/unknown-name'
import { MAX_RECORDS } from '../contract'
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
  const known = linkLists(entity, entities)
  if (known.size === 0) return { records, lists: [] }
  const lists: SentList[] = []
  const faults: Validation[] = []
  const readable = new Map<string, ReadableList>()
  const rest = records.map((record, index) => {
    const names = isObject(record) ? Object.keys(record).filter((name) => known.has(name)) : []
    for (const name of names) {
      const found = known.get(name)
      if (!found) continue
      const list = readable.get(name) ?? requireReadable(entity, found, actor, entities)
      readable.set(name, list)
      const pointer = `${naming === 'batch' ? `/records/${index}` : ''}${pointerTo(name)}`
      const value = (record as JsonObject)[name] ?? null
      const read = readList(value, pointer)
      if (Array.isArray(read)) faults.push(...read)
      else lists.push({ index, list, pointer, ...read })
    }
    return names.length > 0 ? without(record, names) : record
  })
  const count = lists.reduce((sum, { add, remove }) => sum + add.length + remove.length, 0)
  if (count > MAX_RECORDS)
    faults.push({ field: lists[0]?.pointer ?? '', error: `At most ${MAX_RECORDS} keys a request` })
  requireNone(faults)
  return { records: rest, lists }
}

/** Throws `invalid_input` for names of lists among those that an edit of all matching records sets. */
export function refuseLists(entity: Entity, set: JsonObject, entities: readonly Entity[]): void {
  const known = linkLists(entity, entities)
  const error = 'is a list of linked records: write it with each record'
  requireNone(
    Object.keys(set)
      .filter((name) => known.has(name))
      .map((name) => ({ field: `set.${name}`, error })),
  )
}

const without = <T extends Json>(record: T, names: readonly string[]): T =>
  Object.fromEntries(
    Object.entries(record as JsonObject).filter(([name]) => !names.includes(name)),
  ) as T

const SHAPE = 'Must be a list of keys, or { "add": [keys], "remove": [keys] }'

function readList(
  value: Json,
  pointer: string,
): Pick<SentList, 'set' | 'add' | 'remove'> | Validation[] {
  if (Array.isArray(value)) return { set: true, add: keysOf(value, pointer), remove: [] }
  if (!isObject(value)) return [{ field: pointer, error: SHAPE }]
  const faults = Object.entries(value).flatMap(([name, keys]): Validation[] => {
    if (name !== 'add' && name !== 'remove')
      return [
        {
          field: `${pointer}${pointerTo(shorten(name))}`,
          error: `Is neither "add" nor "remove". ${SHAPE}`,
        },
      ]
    return Array.isArray(keys)
      ? []
      : [{ field: `${pointer}/${name}`, error: 'Must be a list of keys' }]
  })
  if (faults.length > 0) return faults
  const { add = [], remove = [] } = value as { add?: Json[]; remove?: Json[] }
  return {
    set: false,
    add: keysOf(add, `${pointer}/add`),
    remove: keysOf(remove, `${pointer}/remove`),
  }
}

const keysOf = (keys: readonly Json[], pointer: string): SentKey[] =>
  keys.map((key, at) => ({ key, pointer: `${pointer}/${at}` }))

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
