import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { verifyPassword } from '@/lib/auth/password'
import { countAttempt, forgetAttempts, PASSWORD_CHANGE } from '@/lib/auth/rate-limit'
import { type Actor, requireSession, type SessionActor } from '@/lib/auth/rights'
import { sessions } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readAccount } from './factor-store'
import type { PasskeyProof } from './passkey-contract'
import { countCode, forgetCodes, spendCode } from './spend-code'
import { spendPasskey } from './spend-passkey'

const CONFIRMED_MINUTES = 10

export type Caller = { actor: SessionActor; requestId: string }
export type Proof = { password: string } | { code: string } | { passkey: PasskeyProof }
type ConfirmDeps = Pick<Deps, 'db' | 'secret' | 'settings'>

/**
 * Lets this session change second factors for ten minutes, after a password, a code or a passkey. Throws
 * `invalid_input` for a wrong one, which the audit log has, and `rate_limited`.
 */
export async function confirmIdentity(
  deps: ConfirmDeps,
  proof: Proof,
  { actor, requestId }: Caller,
): Promise<Date> {
  const isFactor = !('password' in proof)
  if (await check(deps, actor.userId, proof))
    return recordConfirmed(deps.db, actor.sessionId, isFactor)
  const field = 'password' in proof ? 'password' : 'code' in proof ? 'code' : 'passkey'
  await recordAudit(deps.db, actor, {
    action: 'users.confirm-failed',
    objectType: 'user',
    objectId: actor.userId,
    details: { by: field },
    requestId,
  })
  const error = WRONG[field]
  throw new AppError('invalid_input', error, { validations: [{ field, error }] })
}

function check(deps: ConfirmDeps, userId: string, proof: Proof): Promise<boolean> {
  if ('password' in proof) return checkPassword(deps.db, userId, proof.password)
  if ('code' in proof) return checkCode(deps, userId, proof.code)
  return spendPasskey(deps, proof.passkey).then((owner) => owner === userId)
}

export const WRONG_CODE = 'This code is wrong or was used before; enter the next one'
export const WRONG_PASSKEY = 'This passkey was not accepted; try again, or use another way'
const WRONG = {
  password: 'This is not your password',
  code: WRONG_CODE,
  passkey: WRONG_PASSKEY,
}

/** Returns until when the session may change second factors. */
async function recordConfirmed(db: Db, sessionId: string, isFactor: boolean): Promise<Date> {
  const times = { confirmedAt: now, ...(isFactor ? { factorConfirmedAt: now } : {}) }
  const query = db.update(sessions).set(times).where(eq(sessions.id, sessionId))
  const [noted] = await query.returning({ at: sessions.confirmedAt })
  if (!noted?.at) throw new AppError('unauthenticated', 'Your session has ended; sign in again')
  return new Date(noted.at.getTime() + CONFIRMED_MINUTES * 60_000)
}

async function checkPassword(db: Db, userId: string, password: string): Promise<boolean> {
  await countAttempt(db, PASSWORD_CHANGE, userId)
  const { passwordHash } = await readAccount(db, userId)
  if (!passwordHash || !(await verifyPassword(passwordHash, password))) return false
  await forgetAttempts(db, { limit: PASSWORD_CHANGE, subject: userId })
  return true
}

async function checkCode({ db, secret }: ConfirmDeps, userId: string, code: string) {
  await countCode(db, userId)
  if ((await spendCode(db, secret, userId, code)) === null) return false
  await forgetCodes(db, userId)
  return true
}

/** Until when the session may change second factors; null when it must confirm first. */
export async function confirmedUntil(db: Db, sessionId: string): Promise<Date | null> {
  const until = sql`${sessions.confirmedAt} + make_interval(mins => ${CONFIRMED_MINUTES})`
  const [found] = await db
    .select({
      until: sql`case when ${until} > ${now} then ${until} end`.mapWith(sessions.confirmedAt),
    })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  return found?.until ?? null
}

/** Throws `forbidden` with `meta.confirmation` for a session that must confirm first. */
export async function requireConfirmed(db: Db, { sessionId }: SessionActor): Promise<void> {
  if (await confirmedUntil(db, sessionId)) return
  throw new AppError(
    'forbidden',
    'Confirm that it is you first: send your password or a code to /api/users/me/second-factors/confirmation',
    { meta: { confirmation: 'required' } },
  )
}

/** The same; a key confirms nothing, since it is no person. */
export async function requireRecentlyConfirmed(db: Db, actor: Actor): Promise<void> {
  if (actor.sessionId === undefined) return
  requireSession(actor)
  await requireConfirmed(db, actor)
}

/** Throws `forbidden` with `meta.confirmation` for a session that did not confirm by a code or a passkey within ten minutes. */
export async function requireFactor(db: Db, { sessionId }: SessionActor): Promise<void> {
  const until = sql`${sessions.factorConfirmedAt} + make_interval(mins => ${CONFIRMED_MINUTES})`
  if ((await db.$count(sessions, sql`${sessions.id} = ${sessionId} and ${until} > ${now}`)) > 0)
    return
  throw new AppError(
    'forbidden',
    'Confirm by your second factor that it is you: send a code or a passkey to /api/users/me/second-factors/confirmation; a password is not enough',
    { meta: { confirmation: 'factor' } },
  )
}
