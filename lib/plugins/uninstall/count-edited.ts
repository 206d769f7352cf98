import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { driftSql } from '@/lib/plugins/lifecycle/drift-sql'
import { withTables } from './lock-tables'

/** The number of records of each entity that were added or edited since its plugin gave them, by name. */
export async function countEdited(
  db: Db,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const entity of await withTables(db, entities)) {
    const drift = driftSql(entity, entity.pluginId ?? '')
    const query = sql`select count(*)::float8 as total from (${drift}) as d where d.change <> 'deleted'`
    counts.set(entity.name, one(await rows<{ total: number }>(db, query)).total)
  }
  return counts
}
