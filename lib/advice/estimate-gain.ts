import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { OPERATORS, type OperatorName } from '@/lib/definitions/operators'
import { isPlaceOperator } from '@/lib/definitions/place-operators'
import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import type { Literal } from '@/lib/kinds/field-kind'
import { isJsonKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { targetOf } from '@/lib/registry/target'
import { type FieldResolver, fieldResolver } from '@/lib/search/resolve-field'
import type { Resolved, ResolvedSearch } from '@/lib/search/resolved'
import { DEFAULT_SIZE } from '@/lib/search/search-input'
import { searchSql } from '@/lib/search/search-sql'
import { createIndex } from '@/lib/tables/create-index'
import type { IndexSpec } from '@/lib/tables/ddl-step'
import type { Gain } from './contract'
import type { TableFigures } from './table-figures'

/** PostgreSQL's defaults: a page out of order, a page in order, a row, an index entry. */
const RANDOM_PAGE = 4
const PAGE = 1
const ROW = 0.01
const INDEX_ENTRY = 0.005

/**
 * What the planner expects an index to save of a search with unknown values, where it is the only new one. Plans
 * with an index that hypopg pretends to have where the database offers that (B-trees only), otherwise computes it
 * from the planner's cost and selectivity. Null when a field of the shape is gone.
 */
export async function estimateGain(
  db: Db,
  entity: Entity,
  shape: SearchShape,
  spec: IndexSpec,
  figures: TableFigures,
): Promise<Gain | null> {
  const target = targetOf(entity)
  const fieldOf = fieldResolver(target)
  const search = placeholderSearch(shape, fieldOf)
  if (!search) return null
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local plan_cache_mode = force_generic_plan`)
    const { page, matching } = searchSql(target, search)
    const now = await explain(tx, page)
    const { matches } = await explain(tx, matching)
    const hypothetical = spec.method === 'btree' ? await hypopgSchema(tx) : null
    const costWith = hypothetical
      ? await withHypothetical(tx, hypothetical, entity, spec, page)
      : costByIndex(search, spec, matches, now.cost, figures)
    return {
      method: hypothetical ? 'hypothetical plan' : 'estimate',
      costNow: round(now.cost),
      costWith: round(costWith),
      matches: Math.round(matches),
    }
  })
}

const round = (value: number) => Math.round(value * 100) / 100

/** What matches is found in the index and read from the table; in the order of the sort only the page is. */
function costByIndex(
  { where, sort, count, size }: ResolvedSearch,
  { method }: IndexSpec,
  matches: number,
  costNow: number,
  { pages }: TableFigures,
): number {
  const isSorted = method === 'btree' && (sort.length > 0 || where.length === 0)
  const found = readCost(isSorted ? Math.min(size, matches) : matches, pages)
  const isCounted = count === 'exact' && where.length > 0
  return Math.min(costNow, found + (isCounted ? readCost(matches, pages) : 0))
}

/** Of rows in any order, by the formula of PostgreSQL for bitmap scans: the more pages, the more are in order. */
function readCost(records: number, pages: number): number {
  if (records === 0 || pages === 0) return 0
  const read = Math.min(pages, (2 * pages * records) / (2 * pages + records))
  const page = RANDOM_PAGE - (RANDOM_PAGE - PAGE) * Math.sqrt(read / pages)
  return read * page + records * (ROW + INDEX_ENTRY)
}

type Plan = { 'QUERY PLAN': [{ Plan: { 'Total Cost': number; 'Plan Rows': number } }] }

/** Planned once for all values, as EXPLAIN (GENERIC_PLAN) would, which PostgreSQL 15 lacks. */
async function explain(tx: Db, query: SQL): Promise<{ cost: number; matches: number }> {
  const { sql: text, params } = new PgDialect().sqlToQuery(query)
  await tx.execute(sql.raw(`prepare engine_advice as ${text}`))
  const input = params.length > 0 ? `(${params.map(() => 'null').join(', ')})` : ''
  const explained = one(
    await rows<Plan>(tx, sql.raw(`explain (format json) execute engine_advice${input}`)),
  )
  await tx.execute(sql.raw('deallocate engine_advice'))
  const { 'Total Cost': cost, 'Plan Rows': matches } = explained['QUERY PLAN'][0].Plan
  return { cost, matches }
}

/** Where the functions of the extension hypopg are; null without it. */
async function hypopgSchema(tx: Db): Promise<string | null> {
  const [found] = await rows<{ schema: string }>(
    tx,
    sql`select n.nspname as schema from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where p.proname = 'hypopg_create_index' limit 1`,
  )
  return found?.schema ?? null
}

async function withHypothetical(
  tx: Db,
  schema: string,
  { table }: Entity,
  spec: IndexSpec,
  page: SQL,
): Promise<number> {
  const name = (of: string) => sql`${sql.identifier(schema)}.${sql.identifier(of)}`
  const definition = new PgDialect().sqlToQuery(createIndex(table, spec)).sql
  const plain = definition.replace('index if not exists', 'index')
  await tx.execute(sql`select * from ${name('hypopg_create_index')}(${plain})`)
  const { cost } = await explain(tx, page)
  await tx.execute(sql`select ${name('hypopg_reset')}()`)
  return cost
}

/**
 * A search of this shape, to be planned and never run: its values mean nothing. Null when a field of it is gone
 * or of another entity.
 */
function placeholderSearch(
  { where, sort, count }: Pick<SearchShape, 'where' | 'sort' | 'count'>,
  fieldOf: FieldResolver,
): ResolvedSearch | null {
  try {
    return {
      where: where.map((condition) => resolve(condition, fieldOf)),
      sort: sort.map(({ field, direction }) => ({ field: known(fieldOf(field)), direction })),
      fields: [{ type: 'id' }],
      group: null,
      page: 0,
      size: DEFAULT_SIZE,
      count,
    }
  } catch (error) {
    if (error instanceof MissingFieldError) return null
    throw error
  }
}

class MissingFieldError extends Error {}

function known(found: ReturnType<FieldResolver>) {
  if ('fault' in found) throw new MissingFieldError(found.fault)
  return found
}

function resolve(condition: ShapeCondition, fieldOf: FieldResolver): Resolved {
  if (!('field' in condition))
    return { type: condition.operator, of: condition.of.map((one) => resolve(one, fieldOf)) }
  const { operator } = condition
  const field = known(fieldOf(condition.field))
  const values = Array.from({ length: COUNT[OPERATORS[operator].arity] }, () =>
    placeholder(field.kind, operator),
  )
  return { type: 'test', field, operator, values, orNull: false }
}

const COUNT = { none: 0, one: 1, two: 2, place: 4, list: 1 } as const

function placeholder(kind: Kind, operator: OperatorName): Literal {
  if (isPlaceOperator(operator)) return { type: 'float8', text: '1' }
  if (isJsonKind(kind)) return { type: 'json', text: 'a', number: null, container: null }
  const isPattern = 'isPattern' in OPERATORS[operator]
  return { type: isPattern ? 'text' : KINDS[kind].comparedAs, text: 'abc' }
}
