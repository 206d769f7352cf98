import { verifyPassword } from '@/lib/auth/password'
import { countFailure, forgetAttempts, requireBelowLimits } from '@/lib/auth/rate-limit'
import type { UserRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { listMethods } from '@/lib/second-factors/factor-store'
import { PASSWORD_MAX } from './contract'
import { askForSecondFactor } from './finish-sign-in'
import { requireLocalSignIn } from './local-sign-in'
import {
  REFUSALS,
  type SignInDeps as RecordDeps,
  recordFailedSignIn,
  recordSignIn,
  type SignedIn,
  type SignInFailure,
} from './record-sign-in'
import { afterOthers, type SignInCounters, signInCounters } from './sign-in-limits'
import { findUserByEmail } from './store'
import type { Visitor } from './visitor'

type Attempt = Visitor & { email: string; password: string }

export type SignInDeps = RecordDeps & Pick<Deps, 'hashPassword'>

/**
 * Begins a session of the user whose email and password these are. For a user with a second factor,
 * throws `unauthenticated` with `meta.secondFactor`, the ticket for `finishSignIn`. Throws `unauthenticated` with the same message and
 * timing for an unknown email and a wrong password, `forbidden` for the right password of an
 * account that may not sign in, and `rate_limited`, for right passwords too. Failures are noted in
 * the audit log, except those that the limits refuse: there may be any number of them.
 */
export async function signIn(deps: SignInDeps, attempt: Attempt): Promise<SignedIn> {
  requireLocalSignIn(deps, attempt.email)
  const counters = signInCounters(attempt)
  return afterOthers(counters, () => tryToSignIn(deps, attempt, counters))
}

async function tryToSignIn(
  deps: SignInDeps,
  attempt: Attempt,
  { own, shared }: SignInCounters,
): Promise<SignedIn> {
  const { db } = deps
  const all = [...shared, own]
  const counted = await requireBelowLimits(db, all)
  const { user, failure } = await verify(deps, attempt)
  if (failure !== null) {
    await countFailure(db, all)
    await recordFailedSignIn(db, attempt, { user, reason: failure })
    throw refusal(failure)
  }
  if (counted.includes(own)) await forgetAttempts(db, own)
  const methods = await listMethods(db, user.id)
  if (methods.length > 0) throw await askForSecondFactor(db, user, methods)
  return recordSignIn(deps, user, attempt)
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
const refusal = (failure: SignInFailure): AppError =>
  failure in REFUSALS
    ? new AppError('forbidden', REFUSALS[failure as keyof typeof REFUSALS])
    : new AppError('unauthenticated', 'The email or the password is wrong')
