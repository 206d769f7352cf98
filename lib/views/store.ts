import { and, asc, count, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { AccountActor } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import { type SavedViewRow, savedViews } from '@/lib/db/schema'
import { type Db, foldedRole, lower, one } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { lockUser } from '@/lib/users/store'

type Seen = {
  userId: string | null
  /** Those whose views are seen; null: of all roles. */
  roles: readonly string[] | null
}

/** A person's own views of an entity, those of their roles and those of all, by name. At most 200. */
export const selectViews = (db: Db, entity: string, seen: Seen): Promise<SavedViewRow[]> =>
  db
    .select()
    .from(savedViews)
    .where(
      and(
        eq(savedViews.entity, entity),
        or(ofUser(seen.userId), eq(savedViews.shared, true), ofRoles(seen.roles)),
      ),
    )
    .orderBy(asc(lower(savedViews.name)), asc(savedViews.id))
    .limit(200)

const ofUser = (id: string | null) => (id === null ? undefined : eq(savedViews.ownerId, id))

function ofRoles(roles: Seen['roles']): SQL | undefined {
  if (roles === null) return isNotNull(savedViews.role)
  if (roles.length === 0) return undefined
  return inArray(
    foldedRole(savedViews.role),
    roles.map((role) => foldedRole(role)),
  )
}

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

/** Of one person. */
const MAX_VIEWS_OF_ENTITY = 50
const MAX_VIEWS = 500

/** Throws `conflict` for a person who has the most views that are kept. Those saved at the same time follow each other. */
export async function requireRoom(tx: Db, entity: string, { userId }: AccountActor): Promise<void> {
  await lockUser(tx, userId)
  const { ofEntity, ofAll } = await countViews(tx, entity, userId)
  if (ofEntity >= MAX_VIEWS_OF_ENTITY) throw full(`${MAX_VIEWS_OF_ENTITY} views of ${entity}`)
  if (ofAll >= MAX_VIEWS) throw full(`${MAX_VIEWS} views`)
}

async function countViews(db: Db, entity: string, ownerId: string) {
  const ofEntity = sql<number>`count(*) filter (where ${eq(savedViews.entity, entity)})::int`
  const own = eq(savedViews.ownerId, ownerId)
  return one(await db.select({ ofEntity, ofAll: count() }).from(savedViews).where(own))
}

const full = (views: string) =>
  new AppError('conflict', `You have ${views}, the most that are kept; delete one`)
