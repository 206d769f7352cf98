import 'server-only'
import { and, desc, eq, inArray, isNotNull, or } from 'drizzle-orm'
import { savedViews, viewDefaults } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'

export type ViewDefaultRow = typeof viewDefaults.$inferSelect

/** The defaults of roles for an entity, and those of the user, the latest first. At most 1,000. */
export async function selectDefaults(
  db: Db,
  entity: string,
  userId: string | null,
): Promise<ViewDefaultRow[]> {
  const rows = await db
    .select({ found: viewDefaults })
    .from(viewDefaults)
    .innerJoin(savedViews, eq(savedViews.id, viewDefaults.viewId))
    .where(
      and(
        eq(savedViews.entity, entity),
        or(isNotNull(viewDefaults.role), userId ? eq(viewDefaults.userId, userId) : undefined),
      ),
    )
    .orderBy(desc(viewDefaults.createdAt), desc(viewDefaults.id))
    .limit(1000)
  return rows.map(({ found }) => found)
}

export async function insertDefault(
  db: Db,
  row: Pick<ViewDefaultRow, 'viewId' | 'userId' | 'role'>,
): Promise<void> {
  await db.insert(viewDefaults).values(row)
}

export async function dropDefaults(db: Db, rows: readonly ViewDefaultRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await db.delete(viewDefaults).where(inArray(viewDefaults.id, ids))
}
