import { type SQL, sql } from 'drizzle-orm'
import type { Entity } from '@/lib/definitions/definition'
import type { SearchTarget } from '@/lib/registry/target'
import { incoming } from '@/lib/rows/record-columns'
import { columnSql, fromSql } from '@/lib/search/sql-terms'

/** The records that a reader may see, with their keys as `keyName` names them, and the fields of these names as it reads them. */
export function shownRows(entity: Entity, target: SearchTarget, names: readonly string[]): SQL {
  const shown = names.flatMap((name) => {
    const field = target.fields.find((one) => one.name === name)
    return field ? [sql`${columnSql({ ...field, path: [] })} as ${sql.identifier(name)}`] : []
  })
  const keys = entity.keys.map((key, at) => sql`${sql.identifier(key)} as ${keyName(at)}`)
  return sql`select ${sql.join([...keys, ...shown], sql`, `)} from ${shownOf(target)}`
}

export const shownOf = (target: SearchTarget): SQL =>
  sql`${fromSql(target, target.rule?.joins)} where ${target.rule?.sql ?? sql`true`}`

export const keyName = (at: number) => sql.identifier(`$key_${at}`)

/** Whether `v`, of such records, and the rows sent have the same values. */
export const isSame = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`v.${sql.identifier(name)} = ${incoming(name)}`),
    sql` and `,
  )
