import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditLog, trashBatches } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Json } from '@/lib/values/json'

/** `query` null: the records were chosen otherwise, or the conditions were too long to be noted. */
export type DeletionQuery = { query: Json[] | null; ignored: string[] | null }

/** What deletions by batch were given, as the audit log has it: it is written in their transactions. */
export async function deletionQueries(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, DeletionQuery>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({
      id: trashBatches.id,
      query: sql<Json>`${auditLog.details} -> 'query'`,
      ignored: sql<string[] | null>`${auditLog.details} -> 'ignored'`,
    })
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
  return new Map(
    found.map(({ id, query, ignored }) => [
      id,
      { query: Array.isArray(query) ? query : null, ignored },
    ]),
  )
}
