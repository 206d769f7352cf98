import 'server-only'
import { count, eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { one } from '@/lib/db/rows'
import { savedViews } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { lockUser } from '@/lib/users/store'

/** Of one person. */
const MAX_VIEWS_OF_ENTITY = 50
const MAX_VIEWS = 500

/** Throws `conflict` for a person who has the most views that are kept. Those saved at the same time follow each other. */
export async function requireRoom(tx: Db, entity: string, { userId }: Actor): Promise<void> {
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
