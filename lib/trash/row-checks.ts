import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { TrashBatchRow } from '@/lib/db/schema'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { refersTo } from '@/lib/records/record-columns'
import type { TableColumn } from '@/lib/records/table-columns'
import type { TableConstraints } from '@/lib/records/table-constraints'
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
  given: ReadonlySet<string>,
): RowCheck[] =>
  properties.flatMap((property) => {
    if (!given.has(property.name)) return []
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

/** Keys and unique values that stored records have, and references to missing records. */
export const storedChecks = (entity: Entity, { unique, foreign }: TableConstraints): RowCheck[] => [
  ...unique.map(({ isPrimary, columns }) => ({
    when: matches(entity.table, columns, columns),
    problem: problemSql(isPrimary ? 'key-taken' : 'unique-taken', columns, valuesJson(columns)),
  })),
  ...foreign
    .filter(({ isSelf }) => !isSelf)
    .map(({ columns, table, targets }) => ({
      when: sql`${allGiven(columns)} and not ${matches(table, targets, columns)}`,
      problem: referenceProblem(columns),
    })),
]

export const referenceProblem = (columns: readonly string[]): SQL =>
  problemSql('reference-gone', columns, valuesJson(columns))

/** Whether a stored row has in `targets` the values that the row has in `columns`. */
const matches = (table: TableName, targets: readonly string[], columns: readonly string[]): SQL =>
  sql`exists (select from ${tableSql(table)} as t where ${refersTo(columns, targets)})`

export const allGiven = (columns: readonly string[]): SQL =>
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
