import type { Actor } from '@/lib/auth/rights'
import type { CopyQuery } from '@/lib/db/copy-out'
import { findTarget } from '@/lib/entities/find-target'
import { conditionsOfBody, sortOfBody } from '@/lib/entities/search/read-input'
import { resolveSearch } from '@/lib/entities/search/resolve-search'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { ExportBody, ExportFormat, ExportQuery } from './contract'
import { encodeCsv } from './csv'
import { type ExportColumn, exportColumns } from './export-columns'
import { exportSql } from './export-sql'
import { encodeJson } from './json'
import { encodeXlsx } from './xlsx'

export type ExportRecords = {
  entityName: string
  body: ExportBody
  /** References are followed into what this one may read. */
  reader: Actor | null
  /** Stops the query. */
  signal: AbortSignal
} & ExportQuery

export type ExportedFile = {
  fileName: string
  mediaType: string
  /** To be read to the end or returned early: until then it holds a connection. */
  chunks: AsyncIterable<Uint8Array>
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * All records that match as a file, of one moment, in the order of the search. Throws as
 * `searchRecords` does, and `unavailable` while too many exports are running; whatever goes wrong
 * later is thrown by `chunks`.
 */
export async function exportRecords(
  deps: Deps,
  { entityName, body, format, bom, reader, signal }: ExportRecords,
): Promise<ExportedFile> {
  const target = await findTarget(deps, entityName, reader)
  const search = resolveSearch(target, {
    ...conditionsOfBody(body),
    fields: body.fields,
    sort: sortOfBody(body.sort),
    page: 0,
    size: 1,
    count: 'none',
  })
  const columns = exportColumns(target, search.fields)
  const source = limited(deps, exportSql(target, search, columns, format), signal)
  // What fails before there is anything to send is thrown here.
  const lines = withFirst(await source.next(), source)
  const chunks = ending(source, encode(target.name, columns, lines, { format, bom }))
  return { fileName: `${target.name}.${format}`, mediaType: MEDIA_TYPES[format], chunks }
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

const running = new WeakMap<Deps['copyOut'], number>()

type Lines = AsyncGenerator<Buffer, void, void>

async function* withFirst(first: IteratorResult<Buffer, void>, rest: Lines): Lines {
  if (!first.done) yield first.value
  yield* rest
}

/** Ends the query with the file, even where the file's maker has not come to read from it yet. */
async function* ending(lines: Lines, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } finally {
    await lines.return()
  }
}

/** Exports may take half of the connections, however slowly they are read. */
async function* limited({ copyOut, settings }: Deps, query: CopyQuery, signal: AbortSignal) {
  const count = running.get(copyOut) ?? 0
  if (count >= Math.floor(settings.DATABASE_POOL_SIZE / 2))
    throw new AppError('unavailable', 'Too many exports are running; try again in a moment', {
      retryAfter: 10,
    })
  running.set(copyOut, count + 1)
  try {
    yield* copyOut(query, signal)
  } finally {
    running.set(copyOut, (running.get(copyOut) ?? 1) - 1)
  }
}
