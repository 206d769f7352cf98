import { countAttempt, TEST_PROVIDER } from '@/lib/auth/rate-limit'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { findProvider } from './begin-sign-in'
import { boundedFetch } from './bounded-fetch'
import type { TestedProvider } from './contract'
import { discover } from './provider-client'
import { toRefusal } from './refusals'

/**
 * Asks a provider now what it says about itself, and for its keys. Whether the client's id and secret are right, only a
 * sign-in shows. Throws `not_found` and `rate_limited`.
 */
export async function testProvider(
  deps: Pick<Deps, 'db' | 'settings'>,
  name: string,
): Promise<TestedProvider> {
  const provider = findProvider(deps, name)
  await countAttempt(deps.db, TEST_PROVIDER, provider.name)
  try {
    const keys = await countKeys(provider)
    const answer = `${provider.issuer} is reached, and signs with ${keys} ${keys === 1 ? 'key' : 'keys'}`
    return { provider: provider.name, reachable: keys > 0, answer }
  } catch (error) {
    const { detail } = toRefusal(error)
    const why = Object.values(detail).filter(Boolean).join(', ')
    const answer = `${provider.issuer} is not reached, or is no provider${why ? `: ${why}` : ''}`
    return { provider: provider.name, reachable: false, answer }
  }
}

async function countKeys(provider: OidcProvider): Promise<number> {
  const { jwks_uri: address } = await discover(provider)
  if (!address) return 0
  const headers = { accept: 'application/json' }
  const response = await boundedFetch(address, { method: 'GET', headers })
  const { keys } = (response.ok ? await response.json() : {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys.length : 0
}
