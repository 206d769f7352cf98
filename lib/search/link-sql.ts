import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'
import type { FieldPair, Inverse, RowRule, TargetField } from '@/lib/registry/target'

type LinkColumn = Pick<TargetField, 'column' | 'mask'>

/** The records of a link: the columns that lead to them, and those by which they lead on to `beyond`, columns of the other side. */
export type LinkRows = {
  table: TableName
  leading: LinkColumn[]
  columns: LinkColumn[]
  beyond: LinkColumn[]
  rule?: RowRule
}

/** `pairs`: those that lead to its records. */
export const linkRows = (
  { target: { table, rule }, beyond }: NonNullable<Inverse['link']>,
  pairs: readonly FieldPair[],
): LinkRows => ({
  table,
  leading: pairs.map(({ field }) => columnOf(field)),
  columns: beyond.map(({ field }) => columnOf(field)),
  beyond: beyond.map(({ own }) => columnOf(own)),
  ...(rule ? { rule } : {}),
})

const columnOf = ({ column, mask }: TargetField): LinkColumn => ({
  column,
  ...(mask ? { mask } : {}),
})

/**
 * ` join … on …`, to stand behind the other side: it adds nothing but `leadingColumn(0)`, …. `from` are the rows of the link,
 * `otherwise` says how a column of the other side is named that the reader sees everywhere.
 */
export function linkJoin(
  { leading, columns, beyond, rule }: LinkRows,
  from: SQL,
  otherwise = (column: string): SQL => sql`${sql.identifier(column)}`,
): SQL {
  const list = [
    ...leading.map((one, at) => sql`${shownValue(one)} as ${sql.identifier(`$link_${at}`)}`),
    ...columns.map((one, at) => sql`${shownValue(one)} as ${sql.identifier(`$far_${at}`)}`),
  ]
  const equal = beyond.map(
    ({ column, mask }, at) =>
      sql`${LINK}.${sql.identifier(`$far_${at}`)} = ${mask?.value ?? otherwise(column)}`,
  )
  const where = rule ? sql` where ${rule.sql}` : sql``
  return sql` join (select ${sql.join(list, sql`, `)} from ${from}${where}) as ${LINK} on ${sql.join(equal, sql` and `)}`
}

const LINK = sql.identifier('$link')

const shownValue = ({ column, mask }: LinkColumn): SQL =>
  mask?.value ?? sql`${sql.identifier(column)}`

export const leadingColumn = (at: number): SQL => sql`${LINK}.${sql.identifier(`$link_${at}`)}`
