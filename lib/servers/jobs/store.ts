import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { type PromotionRow, promotions } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'

/** A run that is silent for this long may be taken over. */
const LEASE_S = 30

/** What some process works on, or is to. */
export const BUSY = ['PLANNING', 'WAITING', 'RUNNING', 'UNDOING'] as const

const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

export type Claimed = PromotionRow & { holder: string }

/** Takes up the oldest one that waits or whose run is silent. Two processes never get the same one. Null when there is none. */
export const claimPromotion = (db: Db, holder: string): Promise<Claimed | null> =>
  db.transaction(async (tx) => {
    const [due] = await tx
      .select({ id: promotions.id, status: promotions.status })
      .from(promotions)
      .where(and(inArray(promotions.status, [...BUSY]), lte(promotions.dueAt, now)))
      .orderBy(asc(promotions.createdAt), asc(promotions.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return null
    const [claimed] = await tx
      .update(promotions)
      .set({
        ...{ holder, dueAt: inSeconds(LEASE_S), attempts: sql`${promotions.attempts} + 1` },
        ...(due.status === 'WAITING' && { status: 'RUNNING' }),
      })
      .where(eq(promotions.id, due.id))
      .returning()
    return (claimed as Claimed | undefined) ?? null
  })

type Change = Omit<Parameters<ReturnType<Db['update']>['set']>[0], never>

/** Changes a promotion that `job` still holds; false when it was taken over or deleted. */
export async function changeHeld(
  db: Db,
  { id, holder }: Pick<Claimed, 'id' | 'holder'>,
  change: Change,
): Promise<boolean> {
  const changed = await db
    .update(promotions)
    .set(change)
    .where(and(eq(promotions.id, id), eq(promotions.holder, holder)))
    .returning({ id: promotions.id })
  return changed.length > 0
}

/** Says that the run is alive. */
export const renewLease = (db: Db, job: Claimed): Promise<boolean> =>
  changeHeld(db, job, { dueAt: inSeconds(LEASE_S) })
