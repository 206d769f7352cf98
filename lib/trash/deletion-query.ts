import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditLog, trashBatches } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Json } from '@/lib/values/json'

/**
 * The conditions of deletions by batch, as the audit log has them: it is written in their transactions. Batches that
 * were chosen otherwise, or whose conditions were too long to be noted, are left out.
 */
export async function deletionQueries(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Json[]>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: trashBatches.id, query: sql<Json>`${auditLog.details} -> 'query'` })
    .from(trashBatches)
    .innerJoin(
      auditLog,
      and(
        eq(auditLog.at, trashBatches.deletedAt),
        eq(auditLog.objectType, trashBatches.entity),
        sql`${auditLog.details} ->> 'batchId' = ${trashBatches.id}::text`,
      ),
    )
    .where(inArray(trashBatches.id, [...ids]))
  return new Map(found.flatMap(({ id, query }) => (Array.isArray(query) ? [[id, query]] : [])))
}
