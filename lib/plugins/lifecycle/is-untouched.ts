import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '@/lib/db/identifiers'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { checkedProperties } from '@/lib/rows/record-schema'
import { oidOf } from '@/lib/rows/table-constraints'
import { isBaseValue } from './record-sql'

/**
 * Whether the row with this alias is as `base` has it, undeclared fields included. Columns keep the fields that are
 * no longer declared.
 */
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
  const rest = sql`(${base} - ${names})`
  const columns = sql`array(select attname::text from pg_attribute where attrelid = ${oidOf(entity.table)} and attnum > 0 and not attisdropped)`
  const isHeld = sql`(${extra} = ${rest} - ${columns} and not (${extra}) ?| ${columns}
    and to_jsonb(${sql.identifier(alias)}.*) || (${extra}) @> ${rest})`
  return sql`(${sql.join([...same, sql`(${extra} = ${rest} or ${isHeld})`], sql` and `)})`
}
