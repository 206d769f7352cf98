import { type SQL, sql } from 'drizzle-orm'
import { joinPart, StatementCache, splitPart, valuesOfPart } from '@/lib/db/compiled-statement'
import { MAY_TAKE_LONG } from '@/lib/db/prepared-statements'
import { readTexts } from '@/lib/db/read-texts'
import { type Db, one } from '@/lib/db/sql'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import type { SearchTarget } from '@/lib/registry/target'
import { formatted } from './record-json'
import { kindOf } from './resolve-group'
import type { FieldRef, GroupColumn, ResolvedGroup, ResolvedSearch } from './resolved'
import type { AggregateFunction } from './search-input'
import { columnSql, fromSql, type Join, jsonSql, NATURAL } from './sql-terms'
import { whereSql } from './to-sql'

/** `total` is the number of groups, a bigint as text, `data` the text of an array of them. */
type FoundGroups = { total: string; data: string }

// Kept for the fields of a target, which stay the same object as long as its definition and its rule are the same.
const cache = new StatementCache<SearchTarget['fields']>()

/** A page of groups and their number. The statement is kept by the text of the conditions, as those of pages are. */
export async function readGroups(
  db: Db,
  target: SearchTarget,
  { where, joins = [], page, size }: ResolvedSearch,
  group: ResolvedGroup,
): Promise<FoundGroups> {
  const conditions = splitPart(whereSql(where))
  const form = JSON.stringify([conditions.text, target.name, target.table, joins, group])
  const build = () => groupSql(target, joinPart(conditions, 'where'), joins, group)
  const statement = cache.find(target.fields, form, build)
  const window = { size: String(size), offset: String(page * size) }
  const values = { ...valuesOfPart(conditions, 'where'), ...window }
  const [total, data] = one(await readTexts(db, statement, values))
  return { total: total ?? '0', data: data ?? '[]' }
}

function groupSql(target: SearchTarget, where: SQL, joins: Join[], group: ResolvedGroup): SQL {
  const { columns } = group
  const grouped = columns.filter(({ type }) => type === 'field').map((_, index) => aliasOf(index))
  const values = columns.map((column, index) => sql`${valueSql(column)} as ${aliasOf(index)}`)
  const by = grouped.length > 0 ? sql`group by ${sql.join(grouped, sql`, `)}` : sql``
  return sql`
    with "$groups" as materialized (${MAY_TAKE_LONG}
      select ${sql.join(values, sql`, `)} from ${fromSql(target, joins)}
      where ${where} ${by}
    )
    select (select count(*)::text from "$groups") as "total",
      '[' || coalesce(string_agg("$json", ','), '') || ']' as "data"
    from (
      select ${groupJson(columns)} as "$json" from (
        select * from "$groups" order by ${groupOrder(group)}
        limit ${bound('size')} offset ${bound('offset')}
      ) as "$page"
    ) as "$records"`
}

const bound = (name: string): SQL => sql`${sql.placeholder(name)}::text::bigint`

// Labels may be longer than an alias.
const aliasOf = (index: number) => sql.identifier(`$${index}`)

const valueSql = (column: GroupColumn): SQL =>
  column.type === 'field' ? groupedSql(column.field) : AGGREGATES[column.function](column.field)

// JSON's null and a missing value are one group.
const groupedSql = (field: FieldRef): SQL =>
  isJson(field) ? sql`nullif(${jsonSql(field)}, 'null'::jsonb)` : columnSql(field)

const isJson = ({ kind }: FieldRef) => isJsonKind(kind)

type Aggregate = (field: FieldRef | null) => SQL

const AGGREGATES: Record<AggregateFunction, Aggregate> = {
  COUNT: (field) => (field ? sql`count(${groupedSql(field)})` : sql`count(*)`),
  SUM: (field) => sql`sum(${numberSql(field)})`,
  AVG: (field) => sql`avg(${numberSql(field)})::float8`,
  MIN: (field) => sql`min(${comparableSql(field)})`,
  MAX: (field) => sql`max(${comparableSql(field)})`,
}

/** The number in a field; null for other JSON. */
function numberSql(field: FieldRef | null): SQL {
  if (!field) throw new Error('A resolved aggregate lacks its field')
  if (!isJson(field)) return columnSql(field)
  const json = jsonSql(field)
  return sql`case jsonb_typeof(${json}) when 'number' then (${json})::numeric end`
}

const comparableSql = (field: FieldRef | null): SQL =>
  field && isTextKind(field.kind) ? sql`${columnSql(field)} ${NATURAL}` : numberSql(field)

/** The requested sort, then all fields that the records are grouped by, which makes the order total. */
function groupOrder({ columns, sort }: ResolvedGroup): SQL {
  const fields = columns.flatMap(({ type }, column) => (type === 'field' ? [column] : []))
  const terms = [...sort, ...fields.map((column) => ({ column, direction: 'asc' as const }))].map(
    ({ column, direction }) => {
      const natural = isText(columns[column]) ? sql` ${NATURAL}` : sql``
      return sql`${aliasOf(column)}${natural} ${sql.raw(direction)} nulls last`
    },
  )
  const exact = fields.filter((column) => isText(columns[column])).map(aliasOf)
  const all = [...terms, ...exact]
  return all.length > 0 ? sql.join(all, sql`, `) : sql`1`
}

const isText = (column: GroupColumn | undefined) => column && isTextKind(kindOf(column))

function groupJson(columns: GroupColumn[]): SQL {
  const members = columns.map((column, index) => {
    const value = formatted(kindOf(column), sql`${aliasOf(index)}`)
    return sql`${`${JSON.stringify(column.label)}:`}::text || coalesce(to_json(${value})::text, 'null')`
  })
  return sql`('{' || array_to_string(array[${sql.join(members, sql`, `)}], ',') || '}')`
}
