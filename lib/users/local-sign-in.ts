import { can } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
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

/**
 * Whether a password is of any use to the account: where people sign in by their providers alone, only to one that it makes
 * active or links.
 */
export const hasUseForPassword = (
  { settings }: Pick<Deps, 'settings'>,
  { email, roles, status }: Pick<UserRow, 'email' | 'roles' | 'status'>,
): boolean =>
  settings.PASSWORD_SIGN_IN ||
  isBreakGlass(settings, email) ||
  status !== 'ACTIVATED' ||
  can({ roles, scopes: null }, 'users:manage')

const isBreakGlass = ({ BREAK_GLASS_ADMIN }: Deps['settings'], email: string) =>
  BREAK_GLASS_ADMIN?.toLowerCase() === email.trim().toLowerCase()
