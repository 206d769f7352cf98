import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { recordFailedSignIn } from './record-sign-in'
import type { Visitor } from './visitor'

/**
 * Throws `forbidden` where people sign in by their providers alone, but for the administrator who is named for when these
 * are away. Says nothing of the account.
 */
export async function requireLocalSignIn(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  email: string,
  visitor: Visitor,
): Promise<void> {
  if (settings.PASSWORD_SIGN_IN || isBreakGlass(settings, email)) return
  await recordFailedSignIn(db, { email, ...visitor }, { user: null, reason: 'passwords are off' })
  throw new AppError('forbidden', 'Passwords and passkeys are off here; sign in by a provider')
}

const isBreakGlass = ({ BREAK_GLASS_ADMIN }: Deps['settings'], email: string) =>
  BREAK_GLASS_ADMIN?.toLowerCase() === email.trim().toLowerCase()
