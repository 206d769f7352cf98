import { around } from '@/lib/around'
import { type SplitPart, splitPart } from '@/lib/db/compiled-statement'
import { readTexts } from '@/lib/db/read-texts'
import type { TextRow } from '@/lib/db/text-read'
import type { OperatorName } from '@/lib/definitions/operators'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { compiledPage, type PageTotal } from './compiled-page'
import { readTotal, type TotalRow, totalOf } from './count-matches'
import { mayBeFew, wereMany } from './few-matches'
import { hasParts, keyFields } from './order'
import type { PageRow, PageWindow } from './page-sql'
import type { FieldRef, Resolved, ResolvedSearch } from './resolved'
import { conditionsSql, whereSql } from './to-sql'

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
function readParts(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  withTotal: boolean,
): Promise<FoundPage> {
  const { size, after, where } = search
  const limit = withTotal && !after ? size : size + 1
  const conditions = splitPart(
    isRangeOfOrder(target, search, withTotal) ? conditionsSql(where) : whereSql(where),
  )
  const read = (part: PageWindow['part']) =>
    withTotal
      ? readWithTotal(deps, target, search, conditions, { limit, part })
      : readAlone(deps, target, search, conditions, { limit, part })
  const isSplit = where.length === 0 && hasParts(search.sort, after)
  if (!isSplit) return read('all')
  return read('first').then((first) => (first.found.length === limit ? first : read('all')))
}

/**
 * Whether all conditions are ranges of what the page is sorted by. Then one plan serves all values: the index of the order is
 * read from where they begin. To count what is in a range may need another one.
 */
function isRangeOfOrder(
  target: SearchTarget,
  { where, sort }: ResolvedSearch,
  withTotal: boolean,
): boolean {
  const first = sort[0]?.field ?? keyFields(target)[0]
  if (withTotal || !first?.indexed || !isOwnColumn(first)) return false
  return where.every((one) => isRangeOf(one, first))
}

const RANGES: ReadonlySet<OperatorName> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])

const isRangeOf = (one: Resolved, { column }: FieldRef): boolean =>
  one.type === 'test' &&
  RANGES.has(one.operator) &&
  one.field.column === column &&
  isOwnColumn(one.field) &&
  !one.orNull

const isOwnColumn = ({ path, isJoined, mask, figure, made }: FieldRef): boolean =>
  path.length === 0 && !isJoined && !mask && !figure && !made

async function readAlone(
  { db }: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  where: SplitPart,
  window: PageWindow,
): Promise<FoundPage> {
  const { statement, values } = compiledPage(target, search, where, window)
  const read = await readTexts(db, statement, values)
  const found = read.map(([json, position]) => ({ json: json ?? '', position: position ?? '' }))
  return { found, total: null, version: null }
}

function readWithTotal(
  deps: Deps,
  target: SearchTarget,
  search: ResolvedSearch,
  where: SplitPart,
  window: PageWindow,
): Promise<FoundPage> {
  const read = async (total: PageTotal) => {
    const { statement, values } = compiledPage(target, search, where, window, total)
    return pageOf(await readTexts(deps.db, statement, values))
  }
  return readTotal(deps, { target, ...search }, async (query) => {
    if (query.counts && mayBeFew(target, search, where.text)) {
      const few = await read({ query, few: true })
      if (few.total !== 'many') return few
      wereMany(target, where.text)
    }
    return read({ query, few: false })
  })
}

/** Each row has that of the total, and a record where there is one. */
function pageOf(rows: TextRow[]): TotalRow & FoundPage {
  const [first] = rows
  if (!first) throw new Error('The statement returned no total')
  const found = rows.flatMap(([, , , json, position]) =>
    typeof json === 'string' ? [{ json, position: position ?? '' }] : [],
  )
  return { ...totalOf(first), found }
}
