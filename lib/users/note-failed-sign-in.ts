import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { email as emailShape } from './contract'
import type { UserStatus } from './status'

/**
 * `unknown`: no such account. A status: the password was right, but the account may not sign in.
 */
export type SignInFailure =
  | 'unknown'
  | 'wrong password'
  | 'wrong second factor'
  | Exclude<UserStatus, 'ACTIVATED'>

/** What the owner of an account that may not sign in is told. */
export const REFUSALS: Record<Exclude<UserStatus, 'ACTIVATED'>, string> = {
  REQUIRED_ACTIVATION:
    'This account is not activated yet; follow the link in the e-mail, or ask for a new one with "Forgot password"',
  REQUIRED_RESET_PASSWORD: 'This account needs a new password; ask for one with "Forgot password"',
  DISABLED: 'This account is disabled; an administrator can enable it',
}

type Attempt = { email: string; address: string | null; requestId?: string }

/** Always writes one row, so that all failures take the same time. */
export async function noteFailedSignIn(
  db: Db,
  { email, address, requestId }: Attempt,
  { user, reason }: { user: Pick<UserRow, 'id'> | null; reason: SignInFailure },
): Promise<void> {
  // People type passwords into the wrong field: a text that is no e-mail stays out of the log.
  const given = emailShape.safeParse(email).data ?? null
  await recordAudit(
    db,
    { type: 'anonymous', address },
    {
      action: 'users.sign-in-failed',
      objectType: 'user',
      objectId: user?.id,
      details: { reason, ...(given ? { email: given } : {}) },
      requestId,
    },
  )
}
