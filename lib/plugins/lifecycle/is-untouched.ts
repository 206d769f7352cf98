import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '@/lib/db/identifiers'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { checkedProperties } from '@/lib/records/record-schema'
import { isBaseValue } from './record-sql'

/** Whether the row with this alias is as `base` has it, undeclared fields included. */
export function isUntouched(entity: Entity, alias: string, base: SQL): SQL {
  const properties = checkedProperties(entity)
  const same = properties.map((property) =>
    isBaseValue(
      entity,
      property,
      sql`${sql.identifier(alias)}.${sql.identifier(property.name)}`,
      base,
    ),
  )
  const names = textArray(properties.map(({ name }) => name))
  const extra = sql`coalesce(${sql.identifier(alias)}.${sql.identifier(EXTRA_COLUMN)}, '{}') - ${names}`
  return sql`(${sql.join([...same, sql`${extra} = ${base} - ${names}`], sql` and `)})`
}
