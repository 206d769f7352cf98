import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { TableName } from '@/lib/definitions/definition'
import { indexParts } from './ddl/index-parts'
import type { IndexSpec } from './ddl-step'

/** `concurrently`: without blocking writers, and outside a transaction. */
export function createIndex(
  table: TableName,
  { name, method, unique, parts }: IndexSpec,
  concurrently = false,
): SQL {
  const kind = unique ? sql`create unique index` : sql`create index`
  const how = concurrently ? sql` concurrently` : sql``
  return sql`${kind}${how} if not exists ${sql.identifier(name)} on ${tableSql(table)} using ${sql.raw(method)} (${indexParts(parts)})`
}
