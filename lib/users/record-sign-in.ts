import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { knowsAccount } from '@/lib/auth/known-device'
import type { Actor } from '@/lib/auth/rights'
import { startSession } from '@/lib/auth/session-store'
import type { StartedSession } from '@/lib/auth/session-token'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { announceMail } from '@/lib/mail/mail-worker'
import { type Method, readAccount } from '@/lib/second-factors/factor-store'
import { newDeviceLetter } from './new-device-letter'
import { updateUser } from './store'
import type { Visitor } from './visitor'

export type SignedIn = { email: string; session: StartedSession }

type Checked = {
  /** The second factor that was checked; null when the user has none. */
  by?: Method | null
  /** Spends what allowed the sign-in, in its transaction: throws when another caller did so. */
  spend?: (tx: Db) => Promise<void>
}

/** What a sign-in uses. */
export type SignInDeps = Pick<Deps, 'db' | 'settings' | 'secret' | 'bus' | 'log'>

/**
 * Begins a session and notes the sign-in, atomically, with a mail when an account that was used
 * before signs in from a device that does not know it.
 */
export async function recordSignIn(
  deps: SignInDeps,
  user: UserRow,
  visitor: Visitor,
  { by = null, spend }: Checked = {},
): Promise<SignedIn> {
  const { address, userAgent, device, requestId } = visitor
  const { id, email, roles } = user
  const actor: Actor = { type: 'user', id, name: email, userId: id, roles, scopes: null, address }
  const isNew = user.lastSignInAt !== null && !(device && knowsAccount(device, email))
  const letter = isNew ? await newDeviceLetter(deps, user, visitor) : null
  const session = await deps.db.transaction(async (tx) => {
    await spend?.(tx)
    await recordAudit(tx, actor, {
      action: 'users.sign-in',
      objectType: 'user',
      objectId: id,
      ...(by ? { details: { secondFactor: by } } : {}),
      requestId,
    })
    await letter?.write(tx)
    const current = await updateUser(tx, id, { lastSignInAt: new Date() })
    const { hasFactor, isRequired } = await readAccount(tx, id)
    const confirmed = isRequired && !hasFactor // the set-up follows immediately
    return startSession(tx, { user: current, strong: by !== null, confirmed, userAgent, address })
  })
  if (letter) await announceMail(deps)
  return { email, session }
}
