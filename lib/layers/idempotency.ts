import { createHash, createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Layer, Points } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import { rightsDigest } from '@/lib/auth/rights-digest'
import { deriveKey, readingKeys } from '@/lib/crypto/derive-key'
import { seal, unseal } from '@/lib/crypto/seal'
import { databaseError } from '@/lib/db/errors'
import { idempotencyKeys } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'

const MAX_KEY_CHARS = 255
/** Headers of one exchange; a repeated response gets new ones. */
const UNKEPT = new Set(['x-request-id', 'date'])

/**
 * Honours `Idempotency-Key` on a POST that changes something. A repeated response has the header
 * `Idempotency-Replayed: true`.
 */
export const idempotency: Layer = {
  name: 'idempotency',
  around: {
    respond(deps, { request, actor, content, isReading }, next) {
      const key = request.headers.get('idempotency-key')
      if (key === null || isReading || request.method !== 'POST' || !actor) return next(deps)
      return respondToKey(deps, { request, actor, content, key }, next)
    },
  },
  adds: {
    jobs: [{ name: 'sweep idempotency keys', intervalMs: 3_600_000, run: sweepIdempotencyKeys }],
  },
}

type Keyed = Pick<Points['respond']['input'], 'request' | 'content'> & { actor: Actor; key: string }

async function respondToKey(
  deps: Deps,
  { request, actor, content, key }: Keyed,
  next: (deps: Deps) => Promise<Response>,
): Promise<Response> {
  if (key.length === 0 || key.length > MAX_KEY_CHARS)
    throw new AppError(
      'invalid_input',
      `The Idempotency-Key needs 1 to ${MAX_KEY_CHARS} characters`,
    )
  const { pathname, search } = new URL(request.url)
  const once = {
    ...{ ownerId: actor.id, key, content: `${pathname}${search}\n${content}` },
    rights: rightsDigest(actor),
  }
  const { response, replayed } = await respondOnce(deps, once, {
    work: () => next(deps),
    store,
  })
  const headers = {
    ...response.headers,
    ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
  }
  return new Response(response.body, { status: response.status, headers })
}

async function store(response: Response): Promise<StoredResponse> {
  const headers = [...response.headers].filter(([name]) => !UNKEPT.has(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  }
}

/** A response as it was sent, to be sent again. */
export type StoredResponse = { status: number; headers: Record<string, string>; body: string }

export type OnceRequest = {
  ownerId: string
  /** As the client sent it. */
  key: string
  /** Method, address and content of the request. */
  content: string
  /** Of the caller, whose response may hold what other rights hide. */
  rights: string
}

const LIFETIME_MS = 24 * 60 * 60_000
/** How long a repeated request waits for the response to the first one. */
const WAIT_MS = 30_000
const POLL_MS = 100

/** `work` has the effect; `store` turns its result into the response to keep. */
type Steps<T> = {
  work: () => Promise<T>
  store: (result: T) => Promise<StoredResponse>
}

/**
 * Runs `work` unless there is a response for this key from the last 24 hours: then returns that one.
 * The key is stored in the database before `work` begins, so `work` has its effect at most once, on
 * all instances and across restarts. Throws `conflict` when the key was used with other content or rights, or
 * when the outcome of the first request is unknown (its process died, or its response could not be
 * kept): repeating might have the effect twice. Only when `work` itself throws is the key released.
 */
export async function respondOnce<T>(
  deps: Pick<Deps, 'db' | 'secret' | 'log'>,
  request: OnceRequest,
  { work, store }: Steps<T>,
  waitMs = WAIT_MS,
): Promise<{ response: StoredResponse; replayed: boolean }> {
  const sealing = deriveKey(deps.secret, 'idempotent-response')
  // Keyed, since content may hold a password: a plain hash of it could be guessed offline.
  const fingerprint = fingerprintOf(sealing, request.content)
  const { ownerId, rights } = request
  const row = { ownerId, keyHash: sha256(request.key), fingerprint }
  if (!(await take(deps.db, row)))
    return { response: await earlierResponse(deps, row, request, waitMs), replayed: true }
  const result = await work().catch(async (error) => {
    await orLog(deps, 'an idempotency key was not released', release(deps.db, row))
    throw error
  })
  const response = await store(result)
  // The work is done, so the caller gets its response even when that could not be kept.
  await orLog(
    deps,
    'the response for an idempotency key was not kept',
    keep(deps.db, row, { ...response, rights }, sealing),
  )
  return { response, replayed: false }
}

/** Deletes keys that are over 24 hours old. */
export async function sweepIdempotencyKeys({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, oldest()))
}

/** Without `rights`: kept by a version before. */
type Kept = StoredResponse & { rights?: string }

const fingerprintOf = (key: Buffer, content: string) =>
  createHmac('sha256', key).update(content).digest('hex')

type Key = { ownerId: string; keyHash: string; fingerprint: string }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const oldest = () => new Date(Date.now() - LIFETIME_MS)
const sameKey = ({ ownerId, keyHash }: Key) =>
  and(eq(idempotencyKeys.ownerId, ownerId), eq(idempotencyKeys.keyHash, keyHash))

async function release(db: Db, key: Key): Promise<void> {
  await db.delete(idempotencyKeys).where(and(sameKey(key), isNull(idempotencyKeys.response)))
}

async function keep(db: Db, key: Key, response: Kept, sealing: Buffer): Promise<void> {
  const sealed = seal(sealing, key.keyHash, JSON.stringify(response))
  await db.update(idempotencyKeys).set({ response: sealed }).where(sameKey(key))
}

const orLog = ({ log }: Pick<Deps, 'log'>, message: string, step: Promise<void>): Promise<void> =>
  step.catch((error) => {
    const reason = databaseError(error)?.message ?? messageOf(error)
    log.error({ error: reason.slice(0, 300) }, message)
  })

/** Stores the key; false when it is in use already. */
async function take(db: Db, key: Key): Promise<boolean> {
  await db.delete(idempotencyKeys).where(and(sameKey(key), lt(idempotencyKeys.createdAt, oldest())))
  const inserted = await db
    .insert(idempotencyKeys)
    .values(key)
    .onConflictDoNothing()
    .returning({ keyHash: idempotencyKeys.keyHash })
  return inserted.length === 1
}

async function earlierResponse(
  deps: Pick<Deps, 'db' | 'secret'>,
  key: Key,
  { content, rights: ofCaller }: OnceRequest,
  waitMs: number,
): Promise<StoredResponse> {
  for (const until = Date.now() + waitMs; ; await delay(POLL_MS)) {
    const [row] = await deps.db.select().from(idempotencyKeys).where(sameKey(key))
    const madeBy = readingKeys(deps.secret, 'idempotent-response').find(
      (one) => row && fingerprintOf(one, content) === row.fingerprint,
    )
    if (row && !madeBy) {
      throw new AppError(
        'conflict',
        'This Idempotency-Key was used with another request; use a new key for a new request',
      )
    }
    if (row?.response && madeBy) {
      const kept = JSON.parse(unseal(madeBy, key.keyHash, row.response)) as Kept
      const { rights, ...response } = kept
      if (rights === undefined || rights === ofCaller) return response
      throw new AppError('conflict', OTHER_RIGHTS)
    }
    if (!row)
      throw new AppError(
        'conflict',
        'The first request with this Idempotency-Key failed; send it again',
      )
    if (Date.now() > until) throw new AppError('conflict', UNKNOWN_OUTCOME)
  }
}

const OTHER_RIGHTS =
  'The first request with this Idempotency-Key took effect, but your rights have changed since, so its response is not repeated; read the records again'
const UNKNOWN_OUTCOME =
  'The first request with this Idempotency-Key is still running, or its outcome is unknown; check whether it took effect before you use a new key'
