import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { ownerOf } from '@/lib/auth/owner'
import { type PromotionRow, promotions } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { By } from './change-servers'
import type { PlanRequest, Promotion } from './contract'
import { BUSY } from './jobs/store'
import { findPromotion, toPromotion } from './promotions'
import { startPromotions } from './start-promotions'
import { findServer } from './store'

/** The newest are kept, whatever they came to. */
const MAX_KEPT = 100
const MAX_PLANNING = 10

/**
 * Begins to plan what would be brought or sent; the plans before for the same server are forgotten. Throws `not_found`, and
 * `conflict` where too many wait.
 */
export async function planPromotionWith(
  deps: Deps,
  serverId: string,
  { direction, ...request }: PlanRequest,
  { actor }: By,
): Promise<Promotion> {
  const row = await deps.db.transaction(async (tx) => {
    const server = await findServer(tx, serverId)
    await tx.execute(sql`lock table ${promotions} in share row exclusive mode`)
    const isPlanning = eq(promotions.status, 'PLANNING')
    if ((await tx.$count(promotions, isPlanning)) >= MAX_PLANNING)
      throw new AppError('conflict', 'Too many promotions are being planned; wait for one of them')
    await forget(tx, serverId)
    const values = {
      ...{ serverId, serverName: server.name, direction, request, createdBy: actor.name },
      ...{ ...ownerOf(actor), scopes: actor.scopes && [...actor.scopes] },
    }
    return one(await tx.insert(promotions).values(values).returning())
  })
  void startPromotions(deps)
  return toPromotion(row)
}

/** Plans that were not carried out, and what is older than the newest. */
async function forget(tx: Db, serverId: string): Promise<void> {
  const isPlan = inArray(promotions.status, ['PLANNED', 'FAILED'])
  await tx.delete(promotions).where(and(eq(promotions.serverId, serverId), isPlan))
  const newest = tx
    .select({ id: promotions.id })
    .from(promotions)
    .orderBy(desc(promotions.createdAt), desc(promotions.id))
    .limit(MAX_KEPT)
  const isOver = notInArray(promotions.status, [...BUSY])
  await tx.delete(promotions).where(and(isOver, notInArray(promotions.id, newest)))
}

/** Begins to carry out the plan with this seal. Throws `conflict` for a plan that is not there, or while another one is carried out. */
export const startPromotion = (deps: Deps, serverId: string, seal: string, by: By) =>
  begin(deps, by, 'promotions.start', async (tx) => {
    await findServer(tx, serverId)
    const isPlanned = eq(promotions.status, 'PLANNED')
    const isPlan = and(eq(promotions.serverId, serverId), eq(promotions.seal, seal), isPlanned)
    const [found] = await tx.select().from(promotions).where(isPlan).limit(1)
    if (!found) throw new AppError('conflict', 'There is no plan with this seal: plan again')
    return { row: found, status: 'WAITING' }
  })

/** Begins to undo what was done. Throws `not_found`, and `conflict` where nothing can be undone, or while another one is carried out. */
export const undoPromotionWith = (deps: Deps, id: string, by: By) =>
  begin(deps, by, 'promotions.undo', async (tx) => {
    const row = await findPromotion(tx, id)
    if (row.status !== 'DONE' && row.status !== 'STOPPED')
      throw new AppError('conflict', 'There is nothing to undo')
    return { row, status: 'UNDOING' }
  })

type Next = { row: PromotionRow; status: 'WAITING' | 'UNDOING' }

async function begin(
  deps: Deps,
  { actor, requestId }: By,
  action: string,
  find: (tx: Db) => Promise<Next>,
): Promise<Promotion> {
  const begun = await deps.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${promotions} in share row exclusive mode`)
    const { row, status } = await find(tx)
    await requireNoOther(tx)
    const { id, serverName, direction } = row
    const owner = { ...ownerOf(actor), scopes: actor.scopes && [...actor.scopes] }
    const asked = { ...owner, status, attempts: 0, dueAt: now, error: null, completedAt: null }
    const query = tx.update(promotions).set(asked).where(eq(promotions.id, id))
    const details = { name: serverName, direction }
    await recordAudit(tx, actor, {
      ...{ action, objectType: 'promotion', objectId: id, details, requestId },
    })
    return one(await query.returning())
  })
  void startPromotions(deps)
  return toPromotion(begun)
}

async function requireNoOther(tx: Db): Promise<void> {
  const isBusy = inArray(promotions.status, ['WAITING', 'RUNNING', 'UNDOING'])
  const [other] = await tx.select().from(promotions).where(isBusy).limit(1)
  if (!other) return
  const what = other.direction === 'pull' ? 'from' : 'to'
  throw new AppError(
    'conflict',
    `Another promotion is running, ${what} "${other.serverName}", by ${other.createdBy}: wait for its end`,
  )
}
