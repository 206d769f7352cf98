import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { jsonToColumn } from './cast-sql'

/** The default of a property as a value of its column; null without one. */
export function defaultSql(property: Property): SQL {
  const { generates, default: value = null } = property.rules
  if (generates === 'uuid') return sql`gen_random_uuid()::text`
  if (generates === 'now') return KINDS[property.kind].now?.sql ?? sql`now()`
  return jsonToColumn(sql`${JSON.stringify(value)}::text::jsonb`, property)
}
