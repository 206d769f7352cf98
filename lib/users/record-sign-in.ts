import { recordAudit } from '@/lib/audit/record-audit'
import { appUrl } from '@/lib/auth/app-url'
import { deviceName } from '@/lib/auth/device-name'
import { knowsAccount } from '@/lib/auth/known-device'
import { countAttempt, NEW_DEVICE_MAIL } from '@/lib/auth/rate-limit'
import type { Actor } from '@/lib/auth/rights'
import { startSession } from '@/lib/auth/session-store'
import type { StartedSession } from '@/lib/auth/session-token'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { announceMail } from '@/lib/mail/mail-worker'
import { putInOutbox } from '@/lib/mail/outbox'
import { renderMail } from '@/lib/mail/render-mail'
import { type Method, readAccount } from '@/lib/second-factors/factor-store'
import { email as emailShape } from './contract'
import { applyProviderSignIn, type ProviderSignIn, wayOf } from './provider-changes'
import type { ProviderRefusalCode } from './provider-refusal'
import { keepProviderSession } from './provider-sessions'
import type { UserStatus } from './status'
import { updateUser } from './store'
import type { Visitor } from './visitor'

export type SignedIn = { email: string; session: StartedSession }

type Checked = {
  /** The second factor that was checked, here or by the provider; null without one. */
  by?: Method | 'provider' | null
  /** Spends what allowed the sign-in, in its transaction: throws when another caller did so. */
  spend?: (tx: Db) => Promise<void>
  /** By which provider, and what it changes of the account. */
  signIn?: ProviderSignIn
}

/** An account that may sign in. */
type Entering = Pick<UserRow, 'id' | 'email' | 'roles' | 'lastSignInAt'>

/** What a sign-in uses. */
export type SignInDeps = Pick<Deps, 'db' | 'settings' | 'secret' | 'bus' | 'log'>

/**
 * Begins a session and notes the sign-in, atomically, with a mail when an account that was used
 * before signs in from a device that does not know it.
 */
export async function recordSignIn(
  deps: SignInDeps,
  user: Entering,
  visitor: Visitor,
  { by = null, spend, signIn }: Checked = {},
): Promise<SignedIn> {
  const { address, userAgent, device, requestId } = visitor
  const { id, email, roles } = user
  const actor: Actor = { type: 'user', id, name: email, userId: id, roles, scopes: null, address }
  const isNew = user.lastSignInAt !== null && !(device && knowsAccount(device, email))
  const letter = isNew ? await newDeviceLetter(deps, user, visitor) : null
  const session = await deps.db.transaction(async (tx) => {
    await spend?.(tx)
    if (signIn) await applyProviderSignIn(tx, id, signIn, { actor, requestId })
    await recordAudit(tx, actor, {
      action: 'users.sign-in',
      objectType: 'user',
      objectId: id,
      ...detailsOf(by, signIn),
      requestId,
    })
    await letter?.write(tx)
    const current = await updateUser(tx, id, { lastSignInAt: new Date() })
    const confirmed = await isConfirmed(tx, id)
    const way = signIn ? { signedInBy: wayOf(signIn), providerSession: signIn.session } : {}
    const strong = by !== null
    const begun = { user: current, strong, confirmed, userAgent, address, ...way }
    const started = await startSession(tx, begun)
    const everyMs = deps.settings.OIDC_RECHECK
    if (signIn?.check && everyMs !== null) {
      const { check, provider } = signIn
      await keepProviderSession(tx, { sessionId: started.id, provider, check, everyMs })
    }
    return started
  })
  if (letter) await announceMail(deps)
  return { email, session }
}

function detailsOf(by: Checked['by'], signIn: ProviderSignIn | undefined) {
  const details = { ...(by && { secondFactor: by }), ...(signIn && { by: wayOf(signIn) }) }
  return Object.keys(details).length > 0 ? { details } : {}
}

/** Whether a first second factor may be set up at once: it is required, or there is no password to confirm it with. */
async function isConfirmed(tx: Db, userId: string): Promise<boolean> {
  const { hasFactor, isRequired, passwordHash } = await readAccount(tx, userId)
  return !hasFactor && (isRequired || passwordHash === null)
}

/** The mail about a sign-in from a new device; null after five of them in an hour. */
async function newDeviceLetter(
  { db, settings, secret }: Pick<Deps, 'db' | 'settings' | 'secret'>,
  { id: userId, email }: { id: string; email: string },
  { userAgent, address }: Visitor,
): Promise<{ write: (tx: Db) => Promise<void> } | null> {
  if (!(await isBelowLimit(db, userId))) return null
  const props = {
    email,
    device: deviceName(userAgent),
    address,
    time: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    link: `${appUrl(settings)}/profile`,
  }
  const rendered = renderMail({ template: 'new-device', props }, settings)
  const mail = { from: settings.MAIL_FROM, to: email, ...rendered }
  return { write: (tx) => putInOutbox(tx, secret, { template: 'new-device', userId, mail }) }
}

const isBelowLimit = (db: Db, userId: string): Promise<boolean> =>
  countAttempt(db, NEW_DEVICE_MAIL, userId).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === 'rate_limited') return false
      throw error
    },
  )

/**
 * `unknown`: no such account. A status: the password was right, but the account may not sign in.
 */
export type SignInFailure =
  | 'unknown'
  | 'wrong password'
  | 'wrong second factor'
  | ProviderRefusalCode
  | Exclude<UserStatus, 'ACTIVATED'>

/** What the owner of an account that may not sign in is told. */
export const REFUSALS: Record<Exclude<UserStatus, 'ACTIVATED'>, string> = {
  REQUIRED_ACTIVATION:
    'This account is not activated yet; follow the link in the email, or ask for a new one with "Forgot password"',
  REQUIRED_RESET_PASSWORD: 'This account needs a new password; ask for one with "Forgot password"',
  DISABLED: 'This account is disabled; an administrator can enable it',
}

type Attempt = { email: string; address: string | null; requestId?: string }

/** Always writes one row, so that all failures take the same time. */
export async function recordFailedSignIn(
  db: Db,
  { email, address, requestId }: Attempt,
  { user, reason }: { user: Pick<UserRow, 'id'> | null; reason: SignInFailure },
): Promise<void> {
  // People type passwords into the wrong field: a text that is no email stays out of the log.
  const wellFormed = emailShape.safeParse(email).data ?? null
  await recordAudit(
    db,
    { type: 'anonymous', address },
    {
      action: 'users.sign-in-failed',
      objectType: 'user',
      objectId: user?.id,
      details: { reason, ...(wellFormed ? { email: wellFormed } : {}) },
      requestId,
    },
  )
}
