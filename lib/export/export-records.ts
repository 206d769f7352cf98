import { around } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { CopyFormat, CopyQuery } from '@/lib/db/copy-out'
import type { Deps } from '@/lib/deps'
import { takeSlot } from '@/lib/load/gates'
import { findTarget } from '@/lib/search/find-target'
import { kindOf } from '@/lib/search/match-records'
import { conditionsOfBody, sortOfBody } from '@/lib/search/read-input'
import { resolveSearch } from '@/lib/search/resolve-search'
import type { ExportBody, ExportFormat, ExportQuery } from './contract'
import { encodeCsv } from './csv'
import { type ExportColumn, exportColumns } from './export-columns'
import { exportSql } from './export-sql'
import { longTextSql, refuseLongText } from './long-texts'
import { encodeXlsx } from './xlsx'

export type ExportRecords = {
  entityName: string
  body: ExportBody
  /** References are followed only into entities that this actor may read. */
  reader: Actor | null
  /** Stops the query. */
  signal: AbortSignal
  /** Called with the number of records that were read since. */
  onRecords?: (count: number) => void
} & ExportQuery

export type ExportedFile = {
  fileName: string
  mediaType: string
  /** Must be read to the end or returned early: until then it holds a connection. */
  chunks: AsyncIterable<Uint8Array>
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * All matching records as a file, from one snapshot, in the order of the search. Throws as
 * `searchRecords` does, and `unavailable` while too many exports are running; later errors are thrown
 * by `chunks`.
 */
export async function exportRecords(
  deps: Deps,
  { entityName, body, format, bom, reader, signal, onRecords }: ExportRecords,
): Promise<ExportedFile> {
  const { target, search } = await resolveExport(deps, entityName, body, reader)
  const columns = exportColumns(target, search.fields).map((column) => ({
    ...column,
    label: body.labels?.[column.label] ?? column.label,
  }))
  const query = exportSql(target, search, columns, format)
  const { lines, begun } = await around(deps, 'readRecords', target, async (source) => {
    await kindOf(source, target, { where: search.where, joins: search.joins }, reader)
    const long = format === 'xlsx' ? longTextSql(target, search, columns) : null
    if (long) await refuseLongText(limited(source, long, { actor: reader, signal }), columns)
    const read = limited(source, query, { actor: reader, signal })
    const lines = onRecords ? counted(read, query.format, onRecords) : read
    // An error before the first chunk is thrown here.
    return { lines, begun: withFirst(await lines.next(), lines) }
  })
  const chunks = ending(lines, encode(target.name, columns, begun, { format, bom }))
  return { ...fileOf(target.name, format), chunks }
}

/** Name and media type of the file. */
export const fileOf = (entity: string, format: ExportFormat) => ({
  fileName: `${entity}.${format}`,
  mediaType: MEDIA_TYPES[format],
})

/** What is exported. Throws as `searchRecords` does for what `reader` may not read. */
export async function resolveExport(
  deps: Deps,
  entityName: string,
  body: ExportBody,
  reader: Actor | null,
) {
  const target = await findTarget(deps, entityName, reader)
  const search = resolveSearch(target, {
    ...conditionsOfBody(body),
    fields: body.fields,
    sort: sortOfBody(body.sort),
    page: 0,
    size: 1,
    count: 'none',
  })
  return { target, search }
}

function encode(
  name: string,
  columns: ExportColumn[],
  lines: Lines,
  { format, bom }: ExportQuery,
): AsyncIterable<Uint8Array> {
  if (format === 'json') return encodeJson(lines)
  if (format === 'xlsx') return encodeXlsx(lines, columns, name)
  const labels = columns.map(({ label }) => label)
  return encodeCsv(lines, labels, { bom })
}

type Lines = AsyncGenerator<Buffer, void, void>

async function* withFirst(first: IteratorResult<Buffer, void>, rest: Lines): Lines {
  if (!first.done) yield first.value
  yield* rest
}

/** Ends the query with the file, even if nothing has been read from it yet. */
async function* ending(lines: Lines, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } finally {
    await lines.return()
  }
}

async function* counted(
  lines: Lines,
  format: CopyQuery['format'],
  onRecords: (count: number) => void,
): Lines {
  for await (const chunk of lines) {
    onRecords(countLines(chunk, format))
    yield chunk
  }
}

/** Keeps its slot among the exports however slowly it is read, up to `EXPORT_TIMEOUT_MS`. */
async function* limited(
  deps: Deps,
  query: CopyQuery,
  { actor, signal }: { actor: Actor | null; signal: AbortSignal },
) {
  const leave = await takeSlot(deps, 'export', { actor, signal })
  try {
    const tooLong = AbortSignal.timeout(deps.settings.EXPORT_TIMEOUT_MS)
    yield* deps.copyOut(query, AbortSignal.any([signal, tooLong]))
  } finally {
    leave()
  }
}

/** A JSON list of the lines, each of which is one JSON text. */
async function* encodeJson(lines: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void, void> {
  let opening = '['
  for await (const chunk of lines) {
    const text = chunk.toString('latin1', 0, chunk.length - 1).replaceAll('\n', ',\n')
    yield Buffer.from(`${opening}${text}`, 'latin1')
    opening = ',\n'
  }
  yield Buffer.from(opening === '[' ? '[]\n' : ']\n')
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** The number of records in a chunk of whole lines. In CSV, line breaks inside quotes end none. */
export function countLines(chunk: Uint8Array, format: CopyFormat): number {
  const isQuoting = format === 'csv'
  let count = 0
  let isInside = false
  for (const byte of chunk) {
    if (isQuoting && byte === QUOTE) isInside = !isInside
    else if (byte === LINE_FEED && !isInside) count++
  }
  return count
}
