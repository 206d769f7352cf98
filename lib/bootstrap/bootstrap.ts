import type { Deps } from '@/lib/deps'
import 'server-only'
import { isUniqueViolation } from '@/lib/db/errors'
import { createFirstAdministrator, hasAdministrator } from './create-first-administrator'

/**
 * Creates the administrator and key of the environment while there is no administrator; later the
 * settings have no effect, so that a revoked key or an old password never becomes valid again.
 * Throws when the settings can't be applied.
 */
export async function bootstrap(deps: Deps): Promise<void> {
  const { db, log, settings } = deps
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, BOOTSTRAP_API_KEY: apiKey } = settings
  if (!email && !password && !apiKey) return
  if (await hasAdministrator(db)) return
  if (!email || !password) throw new Error(INCOMPLETE)
  try {
    const id = await createFirstAdministrator(deps, { email, password, apiKey })
    if (id) log.info({ userId: id }, 'first administrator created')
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Error('ADMIN_EMAIL belongs to a user who is not an administrator', { cause: error })
  }
}

const INCOMPLETE =
  'There is no administrator yet: set both ADMIN_EMAIL and ADMIN_PASSWORD, or none of them and no BOOTSTRAP_API_KEY'
