import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'

/**
 * Throws `forbidden` where people sign in by their providers alone, but for the account that is named for when these
 * are away. It says nothing of accounts and is not in the audit log: there may be any number of such attempts.
 */
export function requireLocalSignIn({ settings }: Pick<Deps, 'settings'>, email: string): void {
  if (settings.PASSWORD_SIGN_IN || isBreakGlass(settings, email)) return
  throw new AppError('forbidden', 'Passwords and passkeys are off here; sign in by a provider')
}

const isBreakGlass = ({ BREAK_GLASS_ADMIN }: Deps['settings'], email: string) =>
  BREAK_GLASS_ADMIN?.toLowerCase() === email.trim().toLowerCase()
