import { forEachInTurns } from '@/lib/async/turns'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { type Json, type JsonObject, stringifyExactly, unmarkNumbers } from '@/lib/values/json'
import type { Default } from './compiled-entity'
import { INDEX_COLUMN, PRESENCE_COLUMN } from './record-columns'
import { tupleReader } from './record-key'

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

/** Rows as the JSON text of a list of objects, for one statement. */
export type Chunk = { json: string; rows: PreparedRow[] }
/** The JSON text of a row. */
export type Encode = (row: PreparedRow) => string

/** The rows that give a field: `every` row, or only `some`. */
export type Presence = { every: string[]; some: string[]; extra: boolean }

/** A statement for this much text delays other requests only shortly, and larger ones are no faster. */
const MAX_CHUNK_CHARS = 2_000_000
/** The number of small rows encoded without a pause. */
const MAX_CHUNK_ROWS = 20_000

/** The fields that occur in rows, in the order of the entity. */
export async function presenceOf(
  { properties }: Entity,
  rows: readonly PreparedRow[],
): Promise<Presence> {
  const counts = new Map<string, number>()
  let extra = false
  await forEachInTurns(rows, (row) => {
    for (const name of fieldsIn(row)) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (hasExtra(row)) extra = true
  })
  const fields = properties.map(({ name }) => name).filter((name) => counts.has(name))
  return {
    every: fields.filter((name) => counts.get(name) === rows.length),
    some: fields.filter((name) => counts.get(name) !== rows.length),
    extra,
  }
}

/** Cuts rows into chunks, each encoded when it is requested. */
export function* jsonChunks(rows: readonly PreparedRow[], encode: Encode): Generator<Chunk> {
  let texts: string[] = []
  let chars = 0
  let from = 0
  for (const [at, row] of rows.entries()) {
    const text = encode(row)
    texts.push(text)
    chars += text.length
    const isFull = chars >= MAX_CHUNK_CHARS || texts.length >= MAX_CHUNK_ROWS
    if (!isFull && at < rows.length - 1) continue
    yield { json: `[${texts.join(',')}]`, rows: rows.slice(from, at + 1) }
    texts = []
    chars = 0
    from = at + 1
  }
}

export const encodeAll = (rows: readonly PreparedRow[], encode: Encode): string =>
  `[${rows.map(encode).join(',')}]`

/** Encodes whole records: missing fields get their defaults. */
export function wholeEncoder(defaults: ReadonlyMap<string, Default>): Encode {
  const fixed = [...defaults].flatMap(([name, value]): [string, Json][] =>
    typeof value === 'function' ? [] : [[name, value]],
  )
  const made = [...defaults].flatMap(([name, value]): [string, () => Json][] =>
    typeof value === 'function' ? [[name, value]] : [],
  )
  const added = addedText((fields) =>
    Object.fromEntries(fixed.filter(([name]) => !fields.has(name))),
  )
  if (made.length === 0) return (row) => encode(row, added(row))
  return (row) => {
    const fields = fieldsIn(row)
    const lacking = made.filter(([name]) => !fields.includes(name))
    const texts = lacking.map(([name, make]) => `${JSON.stringify(name)}:${JSON.stringify(make())}`)
    return encode(row, [added(row), ...texts].filter((text) => text !== '').join(','))
  }
}

/** Encodes rows as one object, undeclared fields among the others; `missing`: what the fields get that a row lacks. */
export function flatEncoder(missing: JsonObject): Encode {
  const names = Object.keys(missing)
  const added = addedText((fields) =>
    Object.fromEntries(
      names.flatMap((name): [string, Json][] =>
        fields.has(name) ? [] : [[name, missing[name] ?? null]],
      ),
    ),
  )
  return (row) => {
    const { values, extra } = textsOf(row)
    const parts = [inner(values), added(row), extra === null ? '' : inner(extra)]
    return `{${parts.filter((part) => part !== '').join(',')}}`
  }
}

/** Encodes rows with their position among the records of the call. */
export const withPosition =
  (encode: Encode): Encode =>
  (row) =>
    `{"${INDEX_COLUMN}":${row.index},${encode(row).slice(1)}`

/** Encodes changes: where rows give different fields, each row names those of `some` that it gives. */
export function partialEncoder(some: readonly string[]): Encode {
  if (some.length === 0) return (row) => encode(row, '')
  const added = addedText((fields) => ({
    [PRESENCE_COLUMN]: some.filter((name) => fields.has(name)),
  }))
  return (row) => encode(row, added(row))
}

/** The JSON of fields that are added to a row, by what it gives; most rows give the same. */
function addedText(add: (fields: ReadonlySet<string>) => JsonObject): (row: PreparedRow) => string {
  let [last, text]: [readonly string[] | null, string] = [null, '']
  return (row) => {
    const fields = fieldsIn(row)
    if (fields !== last) [last, text] = [fields, inner(JSON.stringify(add(new Set(fields))))]
    return text
  }
}

/** The text between the braces. */
const inner = (json: string) => json.slice(1, -1)

function encode(row: PreparedRow, added: string): string {
  const { values, extra } = textsOf(row)
  if (added === '' && extra === null) return values
  const parts = [inner(values), added]
  if (extra !== null) parts.push(`"${EXTRA_COLUMN}":${extra}`)
  return `{${parts.filter((part) => part !== '').join(',')}}`
}

function textsOf(row: PreparedRow): { values: string; extra: string | null } {
  const isPacked = row instanceof PackedRow
  const extra = isPacked ? row.extraText : row.extra && JSON.stringify(row.extra)
  return {
    values: isPacked ? unmarkNumbers(row.valuesText) : stringifyExactly(row.values),
    extra: extra === null ? null : unmarkNumbers(extra),
  }
}

const hasExtra = (row: PreparedRow) =>
  row instanceof PackedRow ? row.extraText !== null : row.extra !== null
