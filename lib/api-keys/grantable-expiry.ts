import 'server-only'
import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { getKey } from './store'

/**
 * Throws `forbidden` when a key is used to issue a secret that is valid for longer than itself:
 * with it, a stolen key would outlive its own expiry.
 */
export async function requireGrantableExpiry(
  tx: Db,
  actor: Actor,
  expiresAt: Date | null,
): Promise<void> {
  if (actor.type !== 'api_key') return
  const { expiresAt: end } = await getKey(tx, actor.id)
  if (!end || (expiresAt && expiresAt <= end)) return
  const message = `This key expires at ${end.toISOString()}; a key it makes or rotates cannot outlive it`
  throw new AppError('forbidden', message)
}
