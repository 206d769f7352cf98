import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Device } from '@/lib/auth/known-device'
import { verifyPassword } from '@/lib/auth/password'
import { countFailure, forgetAttempts, requireBelowLimits } from '@/lib/auth/rate-limit'
import type { Actor } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { PASSWORD_MAX } from './contract'
import { noteFailedSignIn, type SignInFailure } from './note-failed-sign-in'
import { afterOthers, type SignInCounters, signInCounters } from './sign-in-limits'
import { findUserByEmail, updateUser } from './store'

type Attempt = {
  email: string
  password: string
  /** Of the caller. */
  address: string | null
  /** The browser, if it was used for a sign-in before. */
  device: Device | null
  requestId?: string
}

type SignInDeps = Pick<Deps, 'db' | 'hashPassword'>

/**
 * The user whose e-mail and password these are. Throws `unauthenticated` with the same message and
 * timing for an unknown e-mail and a wrong password, `forbidden` for the right password of an
 * account that may not sign in, and `rate_limited`, for right passwords too. Failures are noted in
 * the audit log, except those that the limits refuse: there may be any number of them.
 */
export async function signIn(deps: SignInDeps, attempt: Attempt): Promise<UserRow> {
  const counters = signInCounters(attempt)
  return afterOthers(counters, () => tryToSignIn(deps, attempt, counters))
}

async function tryToSignIn(
  deps: SignInDeps,
  attempt: Attempt,
  { own, shared }: SignInCounters,
): Promise<UserRow> {
  const { db } = deps
  const all = [...shared, own]
  const counted = await requireBelowLimits(db, all)
  const { user, failure } = await verify(deps, attempt)
  if (failure !== null) {
    await countFailure(db, all)
    await noteFailedSignIn(db, attempt, { user, reason: failure })
    throw refusal(failure)
  }
  if (counted.includes(own)) await forgetAttempts(db, own)
  return recordSignIn(db, user, attempt)
}

type Verdict = { user: UserRow; failure: null } | { user: UserRow | null; failure: SignInFailure }

async function verify(deps: SignInDeps, { email, password }: Attempt): Promise<Verdict> {
  const user = await findUserByEmail(deps.db, email.trim())
  const hash = user?.passwordHash ?? (await dummyHash(deps))
  const right = await verifyPassword(hash, password.slice(0, 4 * PASSWORD_MAX))
  if (!user) return { user, failure: 'unknown' }
  if (!user.passwordHash || !right) return { user, failure: 'wrong password' }
  return { user, failure: user.status === 'ACTIVATED' ? null : user.status }
}

let dummy: Promise<string> | undefined

/** Verified for accounts without a password, so that they take the same time as others. */
function dummyHash({ hashPassword }: SignInDeps): Promise<string> {
  dummy ??= hashPassword(crypto.randomUUID())
  return dummy
}

// Only callers who know the password see the reason; for others the account is unknown.
function refusal(failure: SignInFailure): AppError {
  if (failure === 'unknown' || failure === 'wrong password')
    return new AppError('unauthenticated', 'The e-mail or the password is wrong')
  return new AppError('forbidden', REFUSALS[failure])
}

const REFUSALS = {
  REQUIRED_ACTIVATION:
    'This account is not activated yet; follow the link in the e-mail, or ask for a new one with "Forgot password"',
  REQUIRED_RESET_PASSWORD: 'This account needs a new password; ask for one with "Forgot password"',
  DISABLED: 'This account is disabled; an administrator can enable it',
}

async function recordSignIn(db: Deps['db'], user: UserRow, attempt: Attempt): Promise<UserRow> {
  const { address, requestId } = attempt
  const { id, email, roles } = user
  const actor: Actor = { type: 'user', id, name: email, userId: id, roles, scopes: null, address }
  return db.transaction(async (tx) => {
    await recordAudit(tx, actor, {
      action: 'users.sign-in',
      objectType: 'user',
      objectId: id,
      requestId,
    })
    return updateUser(tx, id, { lastSignInAt: new Date() })
  })
}
