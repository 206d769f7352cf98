import 'server-only'
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { now } from '@/lib/db/functions'
import { type StorageProvider, storageClaims } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { ObjectRef } from '../claims'

const LEASE = sql`interval '2 minutes'`
const WAIT_MS = 20_000
const POLL_MS = 200

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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
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
