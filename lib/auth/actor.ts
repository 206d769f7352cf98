import type { Deps } from '@/lib/deps'
import 'server-only'
import { readApiKey } from './api-key'
import { callerAddress } from './caller-address'
import { actorByKey, actorBySession } from './load-actor'
import type { Actor } from './rights'
import { readSessionCookie } from './session-cookie'
import { decodeSession } from './session-token'

export type ActorDeps = Pick<Deps, 'db' | 'bus' | 'log' | 'settings' | 'secret'>

/**
 * The caller of this request; null without a credential or with a session that has ended. What the
 * database says of a credential is kept for some seconds, but not beyond a change of it. A key takes
 * precedence over a cookie. Throws `unauthenticated` for a bad key.
 */
export async function currentActor(
  { headers }: Pick<Request, 'headers'>,
  deps: ActorDeps,
): Promise<Actor | null> {
  const { settings, secret } = deps
  const address = callerAddress(headers, settings.TRUST_PROXY)
  const key = readApiKey(headers)
  if (key) return actorByKey(deps, key, address)
  const token = readSessionCookie(headers, settings)
  const claims = token ? await decodeSession(token, secret, settings) : null
  return claims ? actorBySession(deps, claims, address) : null
}
