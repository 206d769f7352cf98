import { desc, eq } from 'drizzle-orm'
import { type PromotionRow, promotions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { Promotion, PromotionPlan, PromotionWithPlan } from './contract'

/** At most 100 are kept, besides those that are running. */
const MAX_LISTED = 200

/** The newest first, without their plans. */
export async function listPromotions(db: Db): Promise<Promotion[]> {
  const found = await db
    .select()
    .from(promotions)
    .orderBy(desc(promotions.createdAt), desc(promotions.id))
    .limit(MAX_LISTED)
  return found.map(toPromotion)
}

/** Throws `not_found`. */
export async function findPromotion(db: Db, id: string): Promise<PromotionRow> {
  const [found] = await db.select().from(promotions).where(eq(promotions.id, id))
  if (found) return found
  throw new AppError('not_found', 'There is no promotion with this id')
}

export const withPlan = (row: PromotionRow): PromotionWithPlan => ({
  ...toPromotion(row),
  plan: row.plan as PromotionPlan | null,
})

export const toPromotion = (row: PromotionRow): Promotion => {
  const { request, steps } = row
  return {
    id: row.id,
    serverId: row.serverId,
    serverName: row.serverName,
    direction: row.direction,
    records: request.records,
    entities: request.entities,
    where: request.where,
    onConflict: request.onConflict,
    status: row.status,
    seal: row.seal,
    doneSteps:
      steps.installs.filter(({ history }) => history !== null).length +
      Object.keys(steps.settings).length,
    totalSteps: row.plan === null ? null : Object.keys(row.sources).length,
    done: row.done,
    undone: row.undone,
    error: row.error,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}
