import type { Entity, Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json, JsonObject } from '@/lib/values/json'

/** A record that passed every check which needs no database, in the form in which it is stored. */
export type PreparedRow = {
  /** Position among the records of the call, from 0. */
  index: number
  /** The declared fields that were given, including the key. Without defaults and audit fields. */
  values: JsonObject
  /** The undeclared fields that were given. */
  extra: JsonObject | null
}

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
    readonly fields: readonly string[],
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
export const fieldsIn = (row: PreparedRow): readonly string[] =>
  row instanceof PackedRow ? row.fields : Object.keys(row.values)

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

/** A text that two stored values of a property share exactly when the database considers them equal. */
export function canonicalText({ kind }: Property, value: Json): string {
  const { equalText } = KINDS[kind]
  if (equalText && (typeof value === 'number' || typeof value === 'string')) return equalText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns a function that makes one text of the values of `names`; null when one of them is null. */
export function tupleReader(
  entity: Entity,
  names: readonly string[],
): (values: JsonObject) => string | null {
  const properties = names.map((name) => {
    const property = entity.properties.find((one) => one.name === name)
    if (!property) throw new Error(`"${name}" is no field of ${entity.name}`)
    return property
  })
  const textOf = (property: Property, values: JsonObject): string | null => {
    const value = values[property.name] ?? null
    return value === null ? null : canonicalText(property, value)
  }
  const [only] = properties
  if (only && properties.length === 1) return (values) => textOf(only, values)
  return (values) => {
    const texts = properties.map((property) => textOf(property, values))
    return texts.includes(null) ? null : JSON.stringify(texts)
  }
}

/** A record's key as shown to people: its value, or an object when it has several parts. */
export function keyOf({ keys }: Entity, values: JsonObject): Json {
  const [only] = keys
  if (only !== undefined && keys.length === 1) return values[only] ?? null
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? null]))
}
