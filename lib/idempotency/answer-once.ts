import { createHash, createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { deriveKey } from '@/lib/crypto/derive-key'
import { seal, unseal } from '@/lib/crypto/seal'
import { databaseError } from '@/lib/db/errors'
import { idempotencyKeys } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'

/** What was said to the client, to be said again. */
export type StoredAnswer = { status: number; headers: Record<string, string>; body: string }

export type OnceRequest = {
  ownerId: string
  /** As the client sent it. */
  key: string
  /** Method, address and content of the request. */
  content: string
}

const LIFETIME_MS = 24 * 60 * 60_000
/** How long a repetition waits for the first request to be answered. */
const WAIT_MS = 30_000
const POLL_MS = 100

/** `work` acts; `store` turns what came of it into the answer to keep. */
type Steps<T> = {
  work: () => Promise<T>
  store: (result: T) => Promise<StoredAnswer>
}

/**
 * Runs `work` unless a request with this key was answered within a day: then that answer comes again.
 * The key is taken in the database before `work` begins, so it has one effect at most, on all
 * instances and across restarts. Throws `conflict` when the key came with other content, or when
 * the outcome of the first request is unknown (its process died, or its answer could not be kept):
 * then repeating might do it twice. Only when `work` itself throws is the key free again.
 */
export async function answerOnce<T>(
  deps: Pick<Deps, 'db' | 'secret' | 'log'>,
  request: OnceRequest,
  { work, store }: Steps<T>,
  waitMs = WAIT_MS,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const sealing = deriveKey(deps.secret, 'idempotent-answer')
  // Keyed, since content may hold a password: a plain hash of it could be guessed offline.
  const fingerprint = createHmac('sha256', sealing).update(request.content).digest('hex')
  const row = { ownerId: request.ownerId, keyHash: sha256(request.key), fingerprint }
  if (!(await take(deps.db, row)))
    return { answer: await earlierAnswer(deps, row, waitMs), replayed: true }
  const result = await work().catch(async (error) => {
    await orLog(deps, 'an idempotency key was not freed', release(deps.db, row))
    throw error
  })
  const answer = await store(result)
  // From here on the work is done: its answer is the caller's, whether it could be kept or not.
  await orLog(deps, 'an idempotent answer was not kept', keep(deps.db, row, answer, sealing))
  return { answer, replayed: false }
}

/** Forgets keys that are over a day old. */
export async function sweepIdempotencyKeys({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, oldest()))
}

type Key = { ownerId: string; keyHash: string; fingerprint: string }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const oldest = () => new Date(Date.now() - LIFETIME_MS)
const sameKey = ({ ownerId, keyHash }: Key) =>
  and(eq(idempotencyKeys.ownerId, ownerId), eq(idempotencyKeys.keyHash, keyHash))

async function release(db: Db, key: Key): Promise<void> {
  await db.delete(idempotencyKeys).where(and(sameKey(key), isNull(idempotencyKeys.answer)))
}

async function keep(db: Db, key: Key, answer: StoredAnswer, sealing: Buffer): Promise<void> {
  const sealed = seal(sealing, key.keyHash, JSON.stringify(answer))
  await db.update(idempotencyKeys).set({ answer: sealed }).where(sameKey(key))
}

const orLog = ({ log }: Pick<Deps, 'log'>, message: string, step: Promise<void>): Promise<void> =>
  step.catch((error) => {
    const reason = databaseError(error)?.message ?? messageOf(error)
    log.error({ error: reason.slice(0, 300) }, message)
  })

/** Whether the key is ours from here on. */
async function take(db: Db, key: Key): Promise<boolean> {
  await db.delete(idempotencyKeys).where(and(sameKey(key), lt(idempotencyKeys.createdAt, oldest())))
  const inserted = await db
    .insert(idempotencyKeys)
    .values(key)
    .onConflictDoNothing()
    .returning({ keyHash: idempotencyKeys.keyHash })
  return inserted.length === 1
}

async function earlierAnswer(
  deps: Pick<Deps, 'db' | 'secret'>,
  key: Key,
  waitMs: number,
): Promise<StoredAnswer> {
  for (const until = Date.now() + waitMs; ; await delay(POLL_MS)) {
    const [row] = await deps.db.select().from(idempotencyKeys).where(sameKey(key))
    if (row && row.fingerprint !== key.fingerprint) {
      throw new AppError(
        'conflict',
        'This Idempotency-Key came with another request before; use a new key for a new request',
      )
    }
    if (row?.answer)
      return JSON.parse(
        unseal(deriveKey(deps.secret, 'idempotent-answer'), key.keyHash, row.answer),
      )
    if (!row)
      throw new AppError(
        'conflict',
        'The first request with this Idempotency-Key failed; send it again',
      )
    if (Date.now() > until) throw new AppError('conflict', UNKNOWN_OUTCOME)
  }
}

const UNKNOWN_OUTCOME =
  'The first request with this Idempotency-Key is still running, or its outcome is unknown; look whether it took effect before you use a new key'
