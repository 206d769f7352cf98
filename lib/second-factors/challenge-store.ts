import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { authChallenges, type ChallengePurpose } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { isUuid } from '@/lib/values/uuid'

export type Challenge = typeof authChallenges.$inferSelect
type NewChallenge = Pick<Challenge, 'purpose' | 'userId' | 'secret'> & {
  id?: string
  sessionVersion?: number
  details?: JsonObject
}

const LIFETIME_MINUTES = 5
/** Of one user and purpose: the older ones are dropped, so that a client can't fill the table. */
const MAX_OPEN = 10

/** Keeps it for five minutes. Returns its id. */
export async function addChallenge(db: Db, challenge: NewChallenge): Promise<string> {
  const { id = randomUUID(), purpose, userId } = challenge
  const expiresAt = sql`${now} + make_interval(mins => ${LIFETIME_MINUTES})`
  await db.insert(authChallenges).values({ ...challenge, id, expiresAt })
  if (userId) await dropSurplus(db, userId, purpose)
  return id
}

const dropSurplus = (db: Db, userId: string, purpose: ChallengePurpose) =>
  db.execute(sql`delete from ${authChallenges} where id in (
    select id from ${authChallenges} where ${authChallenges.userId} = ${userId} and ${authChallenges.purpose} = ${purpose}
    order by ${authChallenges.expiresAt} desc, id offset ${MAX_OPEN})`)

type Wanted = { id: string; purpose: ChallengePurpose; userId: string | null }

/** A live one, which stays; null when there is none. */
export async function findChallenge(
  db: Db,
  id: string,
  purpose: ChallengePurpose,
): Promise<Challenge | null> {
  if (!isUuid(id)) return null
  const [found] = await db.select().from(authChallenges).where(live(id, purpose))
  return found ?? null
}

/** Deletes a live one of the user and returns it, or null: one of many concurrent callers gets it. */
export async function takeChallenge(
  db: Db,
  { id, purpose, userId }: Wanted,
): Promise<Challenge | null> {
  if (!isUuid(id)) return null
  const owner = userId ? eq(authChallenges.userId, userId) : isNull(authChallenges.userId)
  const [taken] = await db
    .delete(authChallenges)
    .where(and(live(id, purpose), owner))
    .returning()
  return taken ?? null
}

const live = (id: string, purpose: ChallengePurpose) =>
  and(
    eq(authChallenges.id, id),
    eq(authChallenges.purpose, purpose),
    gt(authChallenges.expiresAt, now),
  )

const ANSWER_MINUTES = 15

/** Notes that what has this id was used: false when it was before, on whichever instance. It must expire within `minutes`. */
export async function spendOnce(tx: Db, id: string, minutes = ANSWER_MINUTES): Promise<boolean> {
  const expiresAt = sql`${now} + make_interval(mins => ${minutes})`
  const spent = await tx
    .insert(authChallenges)
    .values({ id, purpose: 'provider', userId: null, secret: '', expiresAt })
    .onConflictDoNothing()
    .returning({ id: authChallenges.id })
  return spent.length > 0
}

export const wasSpent = async (db: Db, id: string): Promise<boolean> =>
  (await findChallenge(db, id, 'provider')) !== null

export const sweepChallenges = (db: Db) =>
  db.delete(authChallenges).where(lt(authChallenges.expiresAt, now))

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

type Owner = { id: string; sessionVersion: number }

/**
 * Proves for five minutes that the password was right, or what a provider said, its `details`; works once. Only a hash is
 * kept.
 */
export async function issueTicket(db: Db, user: Owner, details?: JsonObject): Promise<string> {
  const id = randomUUID()
  const secret = randomBytes(32).toString('base64url')
  const { id: userId, sessionVersion } = user
  const challenge = { id, purpose: 'sign-in', userId, sessionVersion, details } as const
  await addChallenge(db, { ...challenge, secret: hashOf(secret) })
  return `${id}.${secret}`
}

/** Throws `unauthenticated` for a ticket that is unknown, used or expired. */
export async function readTicket(db: Db, ticket: string): Promise<Challenge & { userId: string }> {
  const [id = '', secret = ''] = ticket.split('.')
  const found = await findChallenge(db, id, 'sign-in')
  const userId = found?.userId
  if (!found || !userId || !isSame(found.secret, hashOf(secret))) throw voidTicket()
  return { ...found, userId }
}

/** Uses the ticket up: of concurrent callers one succeeds. Throws `unauthenticated` for the others. */
export async function spendTicket(tx: Db, { id, userId }: Challenge): Promise<void> {
  if (!(await takeChallenge(tx, { id, purpose: 'sign-in', userId }))) throw voidTicket()
}

// In constant time: the time taken must not reveal how much of a guess was right.
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

export const voidTicket = () =>
  new AppError('unauthenticated', 'This sign-in has expired; begin again', {
    meta: { secondFactor: { ticket: null, methods: [] } },
  })
