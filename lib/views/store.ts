import 'server-only'
import { and, asc, eq, or } from 'drizzle-orm'
import { databaseError } from '@/lib/db/errors'
import { lower } from '@/lib/db/functions'
import { one } from '@/lib/db/rows'
import { type SavedViewRow, savedViews } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'

/** A person's own views of an entity and the shared ones, by name. At most 200. */
export const selectViews = (db: Db, entity: string, userId: string): Promise<SavedViewRow[]> =>
  db
    .select()
    .from(savedViews)
    .where(
      and(
        eq(savedViews.entity, entity),
        or(eq(savedViews.ownerId, userId), eq(savedViews.shared, true)),
      ),
    )
    .orderBy(asc(lower(savedViews.name)), asc(savedViews.id))
    .limit(200)

/** Throws `not_found`. */
export async function getView(db: Db, id: string): Promise<SavedViewRow> {
  const [found] = await db.select().from(savedViews).where(eq(savedViews.id, id))
  if (!found) throw new AppError('not_found', 'There is no saved view with this id')
  return found
}

/** Throws `conflict` when the person has a view of this name for the entity. */
export const insertView = (db: Db, view: typeof savedViews.$inferInsert): Promise<SavedViewRow> =>
  withUniqueName(async () => one(await db.insert(savedViews).values(view).returning()))

/** Throws as `insertView` does. */
export const changeView = (
  db: Db,
  id: string,
  changes: Partial<typeof savedViews.$inferInsert>,
): Promise<SavedViewRow> =>
  withUniqueName(async () =>
    one(await db.update(savedViews).set(changes).where(eq(savedViews.id, id)).returning()),
  )

export const removeView = async (db: Db, id: string): Promise<void> => {
  await db.delete(savedViews).where(eq(savedViews.id, id))
}

async function withUniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (databaseError(error)?.code !== UNIQUE_VIOLATION) throw error
    const validations = [{ field: 'name', error: 'You have a view of this name already' }]
    throw new AppError('conflict', 'You have a view of this name already', {
      validations,
      cause: error,
    })
  }
}

const UNIQUE_VIOLATION = '23505'
