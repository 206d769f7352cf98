import { type Entity, EXTRA_COLUMN } from '@/lib/entities/definition'
import { stringifyExactly } from '@/lib/exact-numbers'
import type { Json, JsonObject } from '@/lib/json'
import type { PreparedRow } from './prepared-row'
import { PRESENCE_COLUMN } from './record-columns'

/** Rows as the JSON text of a list of objects, for one statement. */
export type Chunk = { json: string; rows: PreparedRow[] }
/** The JSON text of a row. */
export type Encode = (row: PreparedRow) => string

/** Which fields rows give: `every` row, or only `some`. */
export type Presence = { every: string[]; some: string[]; extra: boolean }

/** A statement for this much text blocks nobody long, and larger ones are no faster. */
const MAX_CHUNK_CHARS = 2_000_000

/** The fields that occur in rows, in the order of the entity's. */
export function presenceOf({ properties }: Entity, rows: readonly PreparedRow[]): Presence {
  const counts = new Map<string, number>()
  let extra = false
  for (const row of rows) {
    for (const name in row.values) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (row.extra) extra = true
  }
  const given = properties.map(({ name }) => name).filter((name) => counts.has(name))
  return {
    every: given.filter((name) => counts.get(name) === rows.length),
    some: given.filter((name) => counts.get(name) !== rows.length),
    extra,
  }
}

/** Cuts rows into chunks, encoding one when it is asked for. */
export function* jsonChunks(rows: readonly PreparedRow[], encode: Encode): Generator<Chunk> {
  let texts: string[] = []
  let chars = 0
  let from = 0
  for (const [at, row] of rows.entries()) {
    const text = encode(row)
    texts.push(text)
    chars += text.length
    if (chars < MAX_CHUNK_CHARS && at < rows.length - 1) continue
    yield { json: `[${texts.join(',')}]`, rows: rows.slice(from, at + 1) }
    texts = []
    chars = 0
    from = at + 1
  }
}

export const encodeAll = (rows: readonly PreparedRow[], encode: Encode): string =>
  `[${rows.map(encode).join(',')}]`

/** Encodes whole records: what a row lacks gets its default. */
export function wholeEncoder(defaults: ReadonlyMap<string, Json>): Encode {
  if (defaults.size === 0) return ({ values, extra }) => encode(values, extra)
  const all = Object.fromEntries(defaults)
  return ({ values, extra }) => encode({ ...all, ...values }, extra)
}

/** Encodes changes: where rows give different fields, each names those of `some` that it gives. */
export function partialEncoder(some: readonly string[]): Encode {
  if (some.length === 0) return ({ values, extra }) => encode(values, extra)
  return ({ values, extra }) =>
    encode({ ...values, [PRESENCE_COLUMN]: some.filter((name) => name in values) }, extra)
}

function encode(values: JsonObject, extra: JsonObject | null): string {
  const text = stringifyExactly(values)
  if (extra === null) return text
  const rest = `"${EXTRA_COLUMN}":${stringifyExactly(extra)}}`
  return text === '{}' ? `{${rest}` : `${text.slice(0, -1)},${rest}`
}
