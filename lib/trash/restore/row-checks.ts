import { type SQL, sql } from 'drizzle-orm'
import type { TrashBatchRow } from '@/lib/db/schema'
import { tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { refersTo } from '@/lib/rows/record-columns'
import type { ForeignKey, TableColumn, TableConstraints } from '@/lib/rows/table-constraints'
import { tightenedRules } from '@/lib/tables/plan-columns'
import { ruleContradiction } from '@/lib/tables/rule-contradiction'
import { maxTextBytes } from '@/lib/tables/table-indexes'
import { problemSql } from './restored-rows'

/** A condition on a row `n`, and the problem that it detects. */
export type RowCheck = { when: SQL; problem: SQL }

/** `n."name"`: the value to be restored. */
export const restored = (name: string): SQL => sql`n.${sql.identifier(name)}`

/** Rules added or tightened since the deletion; patterns and formats are checked elsewhere. */
export const ruleChecks = (
  { properties }: Entity,
  { properties: had }: TrashBatchRow,
  restoredNames: ReadonlySet<string>,
): RowCheck[] =>
  properties.flatMap((property) => {
    if (!restoredNames.has(property.name)) return []
    const before = had.find(({ name }) => name === property.name)
    return tightenedRules(before, property).flatMap((rule) => {
      const found = ruleContradiction(rule, property)
      return found ? [misfit(property.name, found.where)] : []
    })
  })

/** Values that the columns themselves refuse. */
export const columnChecks = (entity: Entity, columns: readonly TableColumn[]): RowCheck[] =>
  columns.flatMap(({ name, notNull, sqlType }) => {
    const value = restored(name)
    const bytes = sqlType === 'text' ? maxTextBytes(entity, name) : null
    const tooLong = sql`octet_length(${value}) > ${String(bytes)}::int`
    return [
      ...(notNull ? [misfit(name, sql`${value} is null`)] : []),
      ...(bytes === null ? [] : [misfit(name, tooLong)]),
    ]
  })

const misfit = (name: string, when: SQL): RowCheck => ({
  when,
  problem: problemSql('does-not-fit', [name], sql`to_jsonb(${restored(name)})`),
})

/**
 * Queries of `$id` and `problem`: keys and unique values that stored records have, and references to missing records.
 * They are joins, since nodes of a cluster answer no subquery about rows that they don't have.
 */
export const storedProblems = (
  rows: SQL,
  entity: Entity,
  { unique, foreign }: TableConstraints,
): SQL[] => [
  ...unique.map(({ isPrimary, columns }) =>
    takenRows(rows, entity.table, isPrimary ? 'key-taken' : 'unique-taken', columns),
  ),
  ...foreign.filter(({ isSelf }) => !isSelf).map((key) => loneRows(rows, key)),
]

const takenRows = (
  rows: SQL,
  table: TableName,
  reason: 'key-taken' | 'unique-taken',
  columns: readonly string[],
): SQL =>
  sql`with "$rows" as materialized (${rows})
    select n."$id", ${problemSql(reason, columns, valuesJson(columns))} as problem
    from ${related(table, columns, columns)}`

/**
 * Rows that refer to a record which is not stored; of a reference of an entity to itself, nor among the rows.
 *
 *     "$rows"   (1, author 7), (2, author 8), (3, author null)   and author 7 is stored
 *     "$known"  (1)
 *     found     (2, {"reason":"reference-gone","fields":["author"],"value":8})
 */
export function loneRows(rows: SQL, { columns, table, targets, isSelf }: ForeignKey): SQL {
  const among = sql`union select n."$id" from "$rows" as n join "$rows" as t on ${refersTo(columns, targets)}`
  return sql`with "$rows" as materialized (${rows}), "$known" as materialized (
      select n."$id" from ${related(table, targets, columns)} ${isSelf ? among : sql``}
    )
    select n."$id", ${problemSql('reference-gone', columns, valuesJson(columns))} as problem
    from "$rows" as n left join "$known" as k on k."$id" = n."$id"
    where ${noneNull(columns)} and k."$id" is null`
}

/** The rows `n` of `$rows` for which a stored row has in `targets` the values that they have in `columns`. */
const related = (table: TableName, targets: readonly string[], columns: readonly string[]): SQL =>
  sql`"$rows" as n join ${tableSql(table)} as t on ${refersTo(columns, targets)}`

export const noneNull = (columns: readonly string[]): SQL =>
  sql.join(
    columns.map((column) => sql`${restored(column)} is not null`),
    sql` and `,
  )

/** The value, or a list of several, as JSON. */
export function valuesJson(columns: readonly string[]): SQL {
  const values = columns.map(restored)
  const [only] = values
  return values.length === 1 && only
    ? sql`to_jsonb(${only})`
    : sql`jsonb_build_array(${sql.join(values, sql`, `)})`
}
