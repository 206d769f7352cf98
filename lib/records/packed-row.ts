import type { Entity } from '@/lib/definitions/definition'
import type { JsonObject } from '@/lib/values/json'
import type { PreparedRow } from './prepared-row'
import { tupleReader } from './record-key'

/**
 * A prepared row as text, which takes a tenth of the memory: for the many rows of a file. Values
 * that are needed of every row are kept next to the text, so that it is rarely parsed again.
 */
export class PackedRow implements PreparedRow {
  constructor(
    readonly index: number,
    /** JSON of the values; numbers that a double would round are still marked. */
    readonly valuesText: string,
    readonly extraText: string | null,
    /** The given fields; one shared list for all rows that give the same. */
    readonly given: readonly string[],
    /** One text for the whole key, as `tupleReader` makes it; null when a part is missing. */
    readonly key: string | null,
  ) {}

  get values(): JsonObject {
    return JSON.parse(this.valuesText)
  }

  get extra(): JsonObject | null {
    return this.extraText === null ? null : JSON.parse(this.extraText)
  }
}

/** Returns a function that packs rows of the entity. */
export function packer(entity: Entity): (row: PreparedRow) => PackedRow {
  const readKey = tupleReader(entity, entity.keys)
  const intern = listInterner()
  return ({ index, values, extra }) =>
    new PackedRow(
      index,
      JSON.stringify(values),
      extra === null ? null : JSON.stringify(extra),
      intern(Object.keys(values)),
      readKey(values),
    )
}

/** Returns a function that packs a row made from another one, if that one was packed. */
export function repacker(entity: Entity): (from: PreparedRow, made: PreparedRow) => PreparedRow {
  const pack = packer(entity)
  return (from, made) => (from instanceof PackedRow ? pack(made) : made)
}

/** The names of the fields that a row gives. */
export const givenBy = (row: PreparedRow): readonly string[] =>
  row instanceof PackedRow ? row.given : Object.keys(row.values)

/** Returns a function that reads the text of a row's key. */
export function keyReader(entity: Entity): (row: PreparedRow) => string | null {
  const readKey = tupleReader(entity, entity.keys)
  return (row) => (row instanceof PackedRow ? row.key : readKey(row.values))
}

/** Returns the same array for the same names, so that a million rows share a few. */
function listInterner(): (names: string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  let last: readonly string[] = []
  return (names) => {
    if (isSame(names, last)) return last
    const key = JSON.stringify(names)
    last = known.get(key) ?? names
    // Without repetition, remembering names only costs memory.
    if (known.size < MAX_LISTS) known.set(key, last)
    return last
  }
}

const MAX_LISTS = 10_000

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at])
