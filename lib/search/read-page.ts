import { type SQL, sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { readTexts } from '@/lib/db/read-texts'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { countOf, readTotal, type TotalRow, totalSql } from './count-matches'
import { FEW, fewSql, mayBeFew, wereMany } from './few-matches'
import {
  hasParts,
  keptPage,
  type PageRow,
  type PageWindow,
  pageOfSql,
  pageSql,
  pageWithTotalSql,
} from './page-sql'
import type { ResolvedSearch } from './resolved'

export type Page = {
  /** Text of a JSON array. */
  data: string
  /** The number of records. */
  returned: number
  /** Whether records follow; only known without a total, and after a cursor. */
  more: boolean
  /** Of the last record of a full page. */
  position: string | null
  /** A bigint as text; null when it was not requested. */
  total: string | null
  /** Of the tables that were read; null where it is not known. */
  version: string | null
}

/** What a statement found for a page; `version` as in `Page`. */
export type FoundPage = { found: PageRow[]; total: string | null; version: string | null }

/**
 * A page of records and, with `withTotal`, the exact number of matches, both from one snapshot. Without
 * it, and after a cursor, one more record is read to learn whether there is `more`.
 */
export async function readPage(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  withTotal: boolean,
): Promise<Page> {
  const { size } = search
  const { found, total, version } = await around(
    deps,
    'readPage',
    { target, search, withTotal },
    (source) => readParts(source, target, search, withTotal),
  )
  const records = found.slice(0, size)
  return {
    data: `[${records.map(({ json }) => json).join(',')}]`,
    returned: records.length,
    more: found.length > size,
    position: records[size - 1]?.position ?? null,
    total,
    version,
  }
}

/**
 * Without conditions the first part of the order is found at once and mostly fills the page. With conditions it
 * may take long to find too little, and the whole would have to be searched again.
 */
async function readParts(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  withTotal: boolean,
): Promise<FoundPage> {
  const { size, after, where } = search
  const limit = withTotal && !after ? size : size + 1
  const read = (part: PageWindow['part']) =>
    readRows(deps, target, search, { limit, part, withTotal })
  const isSplit = where.length === 0 && hasParts(target, search)
  const first = isSplit ? await read('first') : null
  return first?.found.length === limit ? first : read('all')
}

async function readRows(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  { withTotal, ...window }: PageWindow & { withTotal: boolean },
): Promise<FoundPage> {
  const page = () => pageSql(target, search, window)
  if (!withTotal) {
    const kept = keptPage(target, search, window)
    const found = kept ? await readKept(deps, kept) : await rows<PageRow>(deps.db, page())
    return { found, total: null, version: null }
  }
  const matches = { target, ...search }
  return readTotal(deps, matches, async (query) => {
    if (query.counts && mayBeFew(target, search)) {
      const few = pageWithTotalSql(
        pageOfSql(target, search, FEW.source),
        totalSql(query, FEW.count),
      )
      const read = await readBoth(deps, sql`${fewSql(matches)} ${few}`)
      if (read.total !== 'many') return read
      wereMany(target, search)
    }
    const total = totalSql(query, query.counts ? countOf(matches) : sql`null::text`)
    return readBoth(deps, pageWithTotalSql(page(), total))
  })
}

async function readKept(
  { db }: Deps,
  { statement, values }: NonNullable<ReturnType<typeof keptPage>>,
): Promise<PageRow[]> {
  const found = await readTexts(db, statement, values)
  return found.map(([json, position]) => ({ json: json ?? '', position: position ?? '' }))
}

async function readBoth(deps: Deps, statement: SQL) {
  const found = await rows<TotalRow & (PageRow | { json: null })>(deps.db, statement)
  const [first] = found
  if (!first) throw new Error('The statement returned no total')
  return { ...first, found: found.filter((row) => row.json !== null) }
}
