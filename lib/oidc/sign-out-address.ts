import * as client from 'openid-client'
import { appUrl } from '@/lib/auth/app-url'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { openProvider } from './provider-client'
import { toRefusal } from './refusals'

/**
 * Where a browser signs out at the provider (OpenID Connect RP-Initiated Logout 1.0), which leads it back to the sign-in
 * page; that page itself where the provider has no such address or is away. The session here has ended before, whatever happens there.
 */
export async function signOutAddress(
  { settings, log }: Pick<Deps, 'settings' | 'log'>,
  provider: OidcProvider,
): Promise<string> {
  if (!provider.signsOutThere) return '/login'
  const config = await openProvider(provider).catch((error: unknown) => {
    const { detail } = toRefusal(error)
    log.warn({ ...detail, provider: provider.name }, 'A provider is away at a sign-out')
    return null
  })
  if (!config?.serverMetadata().end_session_endpoint) return '/login'
  const back = `${appUrl(settings)}/login`
  const parameters = { client_id: provider.clientId, post_logout_redirect_uri: back }
  return client.buildEndSessionUrl(config, parameters).href
}
