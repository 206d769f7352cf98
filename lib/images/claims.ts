import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { type StorageProvider, storageClaims } from '@/lib/db/schema'
import { type Db, now, plus } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'

/** An object of a storage. */
export type ObjectRef = { provider: StorageProvider; storageKey: string }
/** An object that this holder alone may write or remove, for as long as the lease lasts. */
export type Claim = ObjectRef & { holder: string }

/** Longer than the slowest upload: two attempts of 15 s, and the database's part. */
const LEASE = sql`interval '2 minutes'`
const WAIT_MS = 20_000
const POLL_MS = 100

const is = ({ provider, storageKey }: ObjectRef) =>
  and(eq(storageClaims.provider, provider), eq(storageClaims.storageKey, storageKey))
const isHeld = (claim: Claim) => and(is(claim), eq(storageClaims.holder, claim.holder))

/** Claims an object; null when it is claimed already. */
export async function tryClaim(db: Db, object: ObjectRef): Promise<Claim | null> {
  const { provider, storageKey } = object
  const holder = crypto.randomUUID()
  const dueAt = sql`${now} + ${LEASE}`
  const taken = await db
    .insert(storageClaims)
    .values({ provider, storageKey, holder, dueAt })
    .onConflictDoUpdate({
      target: [storageClaims.provider, storageClaims.storageKey],
      set: { holder, dueAt },
      setWhere: or(isNull(storageClaims.holder), lte(storageClaims.dueAt, now)),
    })
    .returning({ holder: storageClaims.holder })
  return taken.length > 0 ? { provider, storageKey, holder } : null
}

/**
 * Claims an object, after waiting for another claim to end. Throws `conflict` when that takes too
 * long.
 */
export async function claim(db: Db, object: ObjectRef): Promise<Claim> {
  for (const until = Date.now() + WAIT_MS; ; ) {
    const claimed = await tryClaim(db, object)
    if (claimed) return claimed
    if (Date.now() > until)
      throw new AppError('conflict', 'This image is being replaced or removed; try again', {
        retryAfter: 5,
      })
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * Ends a claim, in the transaction that names the object in an image. Throws `unavailable` when the
 * lease has expired and another claim has been made: the object may be gone.
 */
export async function endClaim(tx: Db, claim: Claim): Promise<void> {
  const ended = await tx.delete(storageClaims).where(isHeld(claim)).returning({
    holder: storageClaims.holder,
  })
  if (ended.length === 0)
    throw new AppError('unavailable', 'The upload took too long; try again', { retryAfter: 5 })
}

/** Leaves an object to the sweep, in the transaction that removes its image. */
export async function queueRemoval(tx: Db, { provider, storageKey }: ObjectRef): Promise<void> {
  await tx.insert(storageClaims).values({ provider, storageKey, dueAt: now }).onConflictDoNothing()
}

/** Releases a claim for another attempt: after half a minute, then twice as long each time. */
export async function postpone(db: Db, claim: Claim, error: string): Promise<void> {
  const wait = sql`interval '30 seconds' * power(2, least(${storageClaims.attempts}, 9))`
  await db
    .update(storageClaims)
    .set({
      holder: null,
      dueAt: sql`${now} + ${wait}`,
      attempts: plus(storageClaims.attempts, 1),
      error: error.slice(0, 500),
    })
    .where(isHeld(claim))
}

/** Objects that are due, the longest due first; at most 100. */
export function findDueObjects(db: Db): Promise<ObjectRef[]> {
  return db
    .select({ provider: storageClaims.provider, storageKey: storageClaims.storageKey })
    .from(storageClaims)
    .where(lte(storageClaims.dueAt, now))
    .orderBy(asc(storageClaims.dueAt), asc(storageClaims.storageKey))
    .limit(100)
}

const POLL_ALL_MS = 200

/**
 * Claims all of the objects for one holder, whose id is returned, after waiting for other claims to
 * end. Holds none of them while it waits, so that two of these can't block each other. Throws
 * `conflict` when that takes too long.
 */
export async function claimAll(db: Db, objects: readonly ObjectRef[]): Promise<string> {
  const holder = crypto.randomUUID()
  for (const until = Date.now() + WAIT_MS; ; ) {
    if ((await tryClaims(db, objects, holder)) === objects.length) return holder
    await releaseAll(db, holder)
    if (Date.now() > until)
      throw new AppError(
        'conflict',
        'Another request works on some of these images; try again in a moment',
        { retryAfter: 5 },
      )
    await new Promise((resolve) => setTimeout(resolve, POLL_ALL_MS))
  }
}

async function tryClaims(db: Db, objects: readonly ObjectRef[], holder: string): Promise<number> {
  if (objects.length === 0) return 0
  const dueAt = sql`${now} + ${LEASE}`
  // In one order, so that two statements never wait for each other.
  const sorted = [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const taken = await db
    .insert(storageClaims)
    .values(sorted.map(({ provider, storageKey }) => ({ provider, storageKey, holder, dueAt })))
    .onConflictDoUpdate({
      target: [storageClaims.provider, storageClaims.storageKey],
      set: { holder, dueAt },
      setWhere: or(isNull(storageClaims.holder), lte(storageClaims.dueAt, now)),
    })
    .returning({ holder: storageClaims.holder })
  return taken.length
}

const keyOf = ({ provider, storageKey }: ObjectRef) => `${provider} ${storageKey}`

/**
 * Extends the claims of `holder` at `provider`, in the transaction that changes their images. Throws
 * `unavailable` when they are not `expected` in number: another request may have changed the images.
 */
export async function extendClaims(tx: Db, holder: string, expected: number): Promise<void> {
  const held = await tx
    .update(storageClaims)
    .set({ dueAt: sql`${now} + ${LEASE}` })
    .where(eq(storageClaims.holder, holder))
    .returning({ holder: storageClaims.holder })
  if (held.length !== expected)
    throw new AppError('unavailable', 'The change took too long; try again', { retryAfter: 5 })
}

/** Ends the claims of `holder` at `provider`. */
export async function endClaims(tx: Db, holder: string, provider: StorageProvider): Promise<void> {
  await tx
    .delete(storageClaims)
    .where(and(eq(storageClaims.holder, holder), eq(storageClaims.provider, provider)))
}

/** Leaves what `holder` still holds to the sweep, which compares it with the records. */
export async function releaseAll(db: Db, holder: string): Promise<void> {
  await db
    .update(storageClaims)
    .set({ holder: null, dueAt: now })
    .where(eq(storageClaims.holder, holder))
}
