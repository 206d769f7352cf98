import { type SQL, sql } from 'drizzle-orm'
import type { Layer } from '@/lib/around'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import type { TotalRow } from '@/lib/search/count-matches'
import { weighConditions } from '@/lib/search/match-records'
import { isDeep, type PageRow, pagesTogetherSql } from '@/lib/search/page-sql'
import type { FoundPage } from '@/lib/search/read-page'
import type { Resolved, ResolvedSearch } from '@/lib/search/resolved'
import { fromSql } from '@/lib/search/sql-terms'
import { hasRelated } from '@/lib/search/tables-read'
import { conditionsSql, whereSql } from '@/lib/search/to-sql'
import { whenSettled } from '@/lib/values/when-settled'
import { keyOfTotal, knownTotal, rememberTotal } from './known-totals'
import { compactWhenMany, versionedTotal } from './table-version'

/** Whose total is not known; `conditions` are the texts of its `where`, and identify them. */
type Waiting = {
  search: ResolvedSearch
  conditions: string[]
  key: string
  /** What another search reads for this one too; without it when that failed. */
  read?: Promise<FoundPages>
}

type FoundPages = ReadonlyMap<Waiting, FoundPage>

/** Their pages are read one after the other. */
const MAX_BATCH = 6
/** Of a page that is read with others. */
const MAX_SIZE = 100
/** Of a search, and of what it does not share, so that a group needs no plan to be allowed. */
const MAX_WEIGHT = 200
const MAX_REST_WEIGHT = 30
const MAX_CONDITIONS = 8
const MAX_CHARS = 2_000

type Fields = SearchTarget['fields']

// On `globalThis`: each route is a bundle with a copy of this module. By the fields of a target, which are the same object for the
// same definition and rule.
const shared = globalThis as typeof globalThis & {
  __engineBatches?: WeakMap<Deps, WeakMap<Fields, Set<Waiting>>>
}
shared.__engineBatches ??= new WeakMap()
const tables = shared.__engineBatches

/**
 * While searches wait for a slot and then count: the one that comes first counts for others that have
 * a condition in common with it, by one pass over the table, and reads their pages by the same statement. What
 * they don't have in common is on columns without an index, so each alone would read the same rows.
 */
export const readTogether: Layer = {
  name: 'read-together',
  around: {
    search(deps, { target, search }, next) {
      const mine = waitingOf(deps, target, search)
      if (!mine) return next(deps)
      const waiting = waitingFor(deps, target).add(mine)
      bySearch.set(search, { mine, waiting })
      return whenSettled(
        () => next(deps),
        () => waiting.delete(mine),
      )
    },
    readPage(deps, { target, search }, next) {
      const entry = bySearch.get(search)
      return entry ? readWithOthers(deps, target, entry, next) : next(deps)
    },
  },
}

type Entry = { mine: Waiting; waiting: Set<Waiting> }

async function readWithOthers(
  deps: Deps,
  target: SearchTarget,
  { mine, waiting }: Entry,
  next: (deps: Deps) => Promise<FoundPage>,
): Promise<FoundPage> {
  // Requests that arrived together call in the same turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  waiting.delete(mine)
  const found = await (mine.read ?? readFor(deps, target, mine, waiting))
  return found.get(mine) ?? next(deps)
}

// A search is one object until its page is found.
const bySearch = new WeakMap<ResolvedSearch, Entry>()

/** The searches of a table that wait. */
function waitingFor(deps: Deps, { fields }: SearchTarget): Set<Waiting> {
  const byFields = tables.get(deps) ?? new WeakMap<Fields, Set<Waiting>>()
  tables.set(deps, byFields)
  const waiting = byFields.get(fields) ?? new Set()
  byFields.set(fields, waiting)
  return waiting
}

/** Null for a search that is not counted, or not with others. */
function waitingOf(deps: Deps, target: SearchTarget, search: ResolvedSearch): Waiting | null {
  const { where, count, group, joins = [] } = search
  const isAlone = count !== 'exact' || group || joins.length > 0 || hasRelated(search)
  if (target.system || target.isDistributed || isAlone) return null
  if (where.length === 0 || where.length > MAX_CONDITIONS) return null
  if (weighConditions(where).weight > MAX_WEIGHT) return null
  const key = keyOfTotal({ target, ...search })
  if (knownTotal(deps, key)) return null
  const conditions = where.map((condition) => JSON.stringify(condition))
  if (conditions.join().length > MAX_CHARS) return null
  return { search, conditions, key }
}

async function readFor(
  deps: Deps,
  target: SearchTarget,
  mine: Waiting,
  waiting: Set<Waiting>,
): Promise<FoundPages> {
  const batch = batchOf(target, mine, waiting)
  if (!batch) return NOTHING
  // When it fails, each reads by itself, and shows what is wrong.
  const read = readAll(deps, target, [mine, ...batch.others], batch.common).catch(() => NOTHING)
  for (const other of batch.others) {
    other.read = read
    waiting.delete(other)
  }
  return read
}

const NOTHING: FoundPages = new Map()

/** The searches that share the condition which most of them do, and all that they share. */
function batchOf(target: SearchTarget, mine: Waiting, waiting: Set<Waiting>) {
  const sharing = mine.conditions.map((condition) =>
    [...waiting].filter((other) => canShare(target, mine, other, condition)),
  )
  const most = Math.max(...sharing.map(({ length }) => length))
  const others = sharing.find(({ length }) => length === most)?.slice(0, MAX_BATCH - 1) ?? []
  if (others.length === 0) return null
  const common = mine.conditions.filter((condition) =>
    others.every(({ conditions }) => conditions.includes(condition)),
  )
  return { others, common: new Set(common) }
}

/** Whether both have the condition, and the rest of neither is slow to test or can use an index. */
function canShare(
  { unindexed }: SearchTarget,
  mine: Waiting,
  other: Waiting,
  condition: string,
): boolean {
  if (!other.conditions.includes(condition)) return false
  const both = new Set(mine.conditions.filter((one) => other.conditions.includes(one)))
  const isUnindexed = (one: Resolved): boolean =>
    one.type === 'test'
      ? Boolean(unindexed?.has(one.field.column))
      : one.type !== 'words' && one.of.every(isUnindexed)
  const rests = [mine, other].map((one) => restOf(one, both))
  return rests.every(
    (rest) => rest.every(isUnindexed) && weighConditions(rest).weight <= MAX_REST_WEIGHT,
  )
}

const restOf = ({ search, conditions }: Waiting, common: ReadonlySet<string>): Resolved[] =>
  search.where.filter((_, at) => !common.has(conditions[at] ?? ''))

type Row = TotalRow & { member?: number | null } & PageRow

/** By one statement, so totals and pages are of one snapshot. */
async function readAll(
  deps: Deps,
  target: SearchTarget,
  group: readonly Waiting[],
  common: ReadonlySet<string>,
): Promise<FoundPages> {
  const total = versionedTotal([target.table], totalsSql(target, group, common))
  const paged = group.filter(({ search }) => isPlain(search) && isAlike(search, group[0]?.search))
  const searches = paged.map(({ search }) => search)
  const query = paged.length > 0 ? pagesTogetherSql(target, searches, total) : total
  const read = await rows<Row>(deps.db, query)
  const [{ total: text, version, pending } = { total: null, version: null, pending: null }] = read
  compactWhenMany(deps, target.table, pending)
  const totals = (JSON.parse(text ?? '[]') as number[]).map(String)
  for (const [at, { key }] of group.entries())
    if (version !== null) rememberTotal(deps, key, { version, total: totals[at] ?? '' })
  const foundBy = (one: Waiting, member: number): [Waiting, FoundPage] => {
    const found = read.filter((row) => row.member === member)
    return [one, { found, total: totals[group.indexOf(one)] ?? null, version }]
  }
  return new Map(paged.map(foundBy))
}

/** The number of matches of each, as the text of a JSON list. */
function totalsSql(
  target: SearchTarget,
  group: readonly Waiting[],
  common: ReadonlySet<string>,
): SQL {
  const [first] = group
  const shared = first?.search.where.filter((_, at) => common.has(first.conditions[at] ?? '')) ?? []
  const rests = group.map((one) => conditionsSql(restOf(one, common)))
  const counts = rests.map((rest) => sql`count(*) filter (where ${rest})`)
  return sql`(select json_build_array(${sql.join(counts, sql`, `)})::text from ${fromSql(target)}
    where ${whereSql(shared)} and (${sql.join(rests, sql` or `)}))`
}

const isPlain = (search: ResolvedSearch): boolean =>
  !search.after && !search.expand?.length && search.size <= MAX_SIZE && !isDeep(search)

/** Whether records of both have the same form and order. */
const isAlike = (one: ResolvedSearch, other: ResolvedSearch | undefined): boolean =>
  JSON.stringify([one.fields, one.sort]) === JSON.stringify([other?.fields, other?.sort])
