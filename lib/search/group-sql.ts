import { type SQL, sql } from 'drizzle-orm'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import type { SearchTarget } from '@/lib/registry/target'
import { int } from './page-sql'
import { formatted } from './record-json'
import { kindOf } from './resolve-group'
import type { FieldRef, GroupColumn, ResolvedGroup, ResolvedSearch } from './resolved'
import type { AggregateFunction } from './search-input'
import { columnSql, fromSql, jsonSql, NATURAL } from './sql-terms'
import { whereSql } from './to-sql'

/** `total` is the number of groups, `data` the text of an array of them. */
export type GroupRow = { total: string; data: string }

/** A page of groups and their number. */
export function groupSql(
  target: SearchTarget,
  { where, joins, page, size }: ResolvedSearch,
  group: ResolvedGroup,
): SQL {
  const { columns } = group
  const grouped = columns.filter(({ type }) => type === 'field').map((_, index) => aliasOf(index))
  const values = columns.map((column, index) => sql`${valueSql(column)} as ${aliasOf(index)}`)
  const by = grouped.length > 0 ? sql`group by ${sql.join(grouped, sql`, `)}` : sql``
  return sql`
    with "$groups" as materialized (
      select ${sql.join(values, sql`, `)} from ${fromSql(target, joins)}
      where ${whereSql(where)} ${by}
    )
    select (select count(*)::text from "$groups") as "total",
      '[' || coalesce(string_agg("$json", ','), '') || ']' as "data"
    from (
      select ${groupJson(columns)} as "$json" from (
        select * from "$groups" order by ${groupOrder(group)}
        limit ${int(size)} offset ${int(page * size)}
      ) as "$page"
    ) as "$records"`
}

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
