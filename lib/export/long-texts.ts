import { type SQL, sql } from 'drizzle-orm'
import type { CopyQuery } from '@/lib/db/copy-out'
import { AppError } from '@/lib/errors'
import type { SearchTarget } from '@/lib/registry/target'
import { idSql } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { fromSql } from '@/lib/search/sql-terms'
import { whereSql } from '@/lib/search/to-sql'
import type { ExportColumn } from './export-columns'

/** UTF-16 code units, which is all that a cell of a sheet holds. */
export const MAX_CELL_CHARS = 32_767
/** No column that takes less can hold so much, however well it is packed. */
const MIN_STORED_BYTES = 100

/** A text that is too long for a sheet, as the number of its column and the id of its record; null when no column can have one. */
export function longTextSql(
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
  columns: readonly ExportColumn[],
): CopyQuery | null {
  const found = columns.flatMap(({ value, long }, at) =>
    long ? [{ at, isLong: isLong(value, long) }] : [],
  )
  if (found.length === 0) return null
  const cases = found.map(({ at, isLong }) => sql`when ${isLong} then ${String(at)}`)
  const any = found.map(({ isLong }) => isLong)
  const query = sql`select (case ${sql.join(cases, sql` `)} end)::text as c0, (${idSql(target)})::text as c1
    from ${fromSql(target, joins)} where (${whereSql(where)}) and (${sql.join(any, sql` or `)}) limit 1`
  return { query, width: 2, format: 'text' }
}

const isLong = (value: SQL, stored: SQL): SQL =>
  sql`(pg_column_size(${stored}) > ${sql.raw(String(MIN_STORED_BYTES))} and ${exceedsCell(value)})`

/** Whether a text is longer than a cell. The cheap condition comes first: few texts are counted. */
export const exceedsCell = (text: SQL): SQL =>
  sql`(octet_length(${text}) > ${LIMIT} and length(${text}) + length(regexp_replace(${text}, ${NARROW}, '', 'g')) > ${LIMIT})`

const LIMIT = sql.raw(String(MAX_CELL_CHARS))
/** Characters of one code unit. */
const NARROW = sql.raw("'[^\\U00010000-\\U0010FFFF]'")

/** Throws `unprocessable` for what `longTextSql` finds: a text that is cut would look like a whole one. */
export async function refuseLongText(
  lines: AsyncIterable<Buffer>,
  columns: readonly ExportColumn[],
): Promise<void> {
  for await (const line of lines) {
    const [at, id = ''] = line.toString().trimEnd().split('\t')
    throw tooLong(`"${columns[Number(at)]?.label}" of the record ${id.slice(0, 100)}`)
  }
}

export const tooLong = (what: string): AppError =>
  new AppError(
    'unprocessable',
    `${what} has more than ${MAX_CELL_CHARS.toLocaleString('en')} characters, which is all that a cell of XLSX holds; export as CSV or JSON, or leave the field out`,
  )
