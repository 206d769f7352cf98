import { forEachInTurns } from '@/lib/async/turns'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { stringifyExactly, unmarkNumbers } from '@/lib/values/exact-numbers'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Default } from './compiled-entity'
import { fieldsIn, PackedRow, type PreparedRow } from './prepared-row'
import { INDEX_COLUMN, PRESENCE_COLUMN } from './record-columns'

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
