import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from './order'
import { columnSql } from './sql-terms'

/** By which comments name a record, over its row: of a key with several parts not by their names, which may change. */
export function commentKey(target: SearchTarget): SQL {
  const parts = keyFields(target).map((field) => sql`${columnSql(field)}::text`)
  const [only] = parts
  if (parts.length === 1 && only) return only
  return sql`json_build_array(${sql.join(parts, sql`, `)})::text`
}
