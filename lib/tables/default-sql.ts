import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { jsonToColumn } from './cast-sql'
import { sqlTypeOf } from './column-type'

/** The default of a property as a value of its column; null without one. */
export function defaultSql(property: Property): SQL {
  const { generates, default: value = null } = property.rules
  if (generates === 'uuid') return sql`gen_random_uuid()::text`
  if (generates === 'now') return property.kind === 'date' ? UTC_DAY : sql`now()`
  return jsonToColumn(sql`${JSON.stringify(value)}::text::jsonb`, sqlTypeOf(property))
}

const UTC_DAY = sql`(now() at time zone 'UTC')::date`
