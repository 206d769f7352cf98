import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditLog, trashBatches } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { isObject, type Json } from '@/lib/values/json'
import type { TrashBatch } from './contract'

/** `query` null: the records were chosen otherwise, or the conditions were too long to be recorded. */
export type Noted = Pick<TrashBatch, 'query' | 'ignored' | 'set' | 'fileName'>

/** What batches of records were asked for, as the audit log has it: it is written in their transactions. */
export async function notedOf(db: Db, ids: readonly string[]): Promise<Map<string, Noted>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({
      id: trashBatches.id,
      query: sql<Json>`${auditLog.details} -> 'query'`,
      ignored: sql<string[] | null>`${auditLog.details} -> 'ignored'`,
      set: sql<Json>`${auditLog.details} -> 'set'`,
      fileName: sql<string | null>`${auditLog.details} ->> 'file'`,
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
    found.map(({ id, query, ignored, set, fileName }) => [
      id,
      {
        query: Array.isArray(query) ? query : null,
        ...(ignored ? { ignored } : {}),
        ...(isObject(set) ? { set } : {}),
        ...(fileName ? { fileName } : {}),
      },
    ]),
  )
}
