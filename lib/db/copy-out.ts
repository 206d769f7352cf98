import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/**
 * `csv`: RFC 4180, except that lines end in LF. `text`: tabs between values, backslash escapes,
 * `\N` for null. `json`: one JSON text per line, unchanged.
 */
export type CopyFormat = 'csv' | 'text' | 'json'

export type CopyQuery = {
  /** Its columns are named `c0`, `c1`, …; its order is kept. */
  query: SQL
  width: number
  format: CopyFormat
}

/**
 * The whole result of a query, from one snapshot, in chunks of whole lines, with constant memory.
 * Starts when the first chunk is read. Ending the iteration or aborting `signal` stops the query.
 */
export type CopyOut = (query: CopyQuery, signal: AbortSignal) => AsyncGenerator<Buffer, void, void>

/** JSON has neither of the two characters, nor line breaks, so nothing is ever quoted. */
const OPTIONS: Record<CopyFormat, string> = {
  csv: 'format csv',
  text: 'format text',
  json: `format csv, delimiter E'\\x01', quote E'\\x02'`,
}

export const copyText = (query: string, format: CopyFormat, to: 'stdout' | `'/dev/blob'`): string =>
  `copy (${query}) to ${to} with (${OPTIONS[format]})`

const dialect = new PgDialect()

/**
 * A statement with its values as literals, since COPY takes no parameters. All values are texts and
 * become quoted literals, whose only escape is the doubled quote while
 * `standard_conforming_strings` is on; every connection of the server sets it.
 */
export function inlined(query: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`${query}`.inlineParams())
  if (params.length > 0) throw new Error('COPY takes no parameters')
  return text
}
