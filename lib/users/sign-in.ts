import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import {
  countAttempt,
  forgetAttempts,
  forgiveAttempt,
  SIGN_IN_BY_ACCOUNT,
  SIGN_IN_BY_CALLER,
} from '@/lib/auth/rate-limit'
import type { Actor } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import { PASSWORD_MAX } from './contract'
import { findUserByEmail, updateUser } from './store'

type Attempt = {
  email: string
  password: string
  /** Of the caller. */
  address: string | null
  requestId?: string
}

/**
 * The user whose e-mail and password these are. Throws `unauthenticated` in the same words and time
 * for an unknown e-mail and a wrong password, `forbidden` for the right password of an account that
 * may not sign in, and `rate_limited`, for right passwords too.
 */
export async function signIn({ db }: Pick<Deps, 'db'>, attempt: Attempt): Promise<UserRow> {
  const { email, address } = attempt
  const caller = address ?? 'unknown'
  await countAttempt(db, SIGN_IN_BY_CALLER, caller)
  await countAttempt(db, SIGN_IN_BY_ACCOUNT, email)
  const user = await verifiedUser(db, attempt)
  requireActive(user)
  await forgetAttempts(db, SIGN_IN_BY_ACCOUNT, email)
  await forgiveAttempt(db, SIGN_IN_BY_CALLER, caller)
  return recordSignIn(db, user, attempt)
}

async function verifiedUser(db: Deps['db'], { email, password }: Attempt): Promise<UserRow> {
  const user = await findUserByEmail(db, email.trim())
  const right = await verifyPassword(
    user?.passwordHash ?? (await dummyHash()),
    password.slice(0, 4 * PASSWORD_MAX),
  )
  if (!user?.passwordHash || !right)
    throw new AppError('unauthenticated', 'The e-mail or the password is wrong')
  return user
}

let dummy: Promise<string> | undefined

/** Verified for accounts that have no password, so that they take as long as those that have. */
function dummyHash(): Promise<string> {
  dummy ??= hashPassword(crypto.randomUUID())
  return dummy
}

// Told only to those who know the password: to anybody else an account without access is unknown.
function requireActive({ status }: UserRow): void {
  if (status === 'ACTIVATED') return
  throw new AppError('forbidden', REFUSALS[status])
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
