import * as client from 'openid-client'
import { appUrl } from '@/lib/auth/app-url'
import { ownPath } from '@/lib/auth/own-path'
import { countAttempt, PROVIDER_SIGN_IN } from '@/lib/auth/rate-limit'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import { openProvider } from './provider-client'
import { toRefusal } from './refusals'
import { sealCookie } from './sealed-cookie'

/** The provider with this name in the settings, whatever its case. Throws `not_found`. */
export function findProvider({ settings }: Pick<Deps, 'settings'>, name: string): OidcProvider {
  const found = settings.OIDC.find((provider) => provider.name === name.toLowerCase())
  if (!found) throw new AppError('not_found', 'There is no provider of this name')
  return found
}

export const callbackUrl = ({ settings }: Pick<Deps, 'settings'>, { name }: OidcProvider) =>
  `${appUrl(settings)}/api/auth/callback/oidc-${name}`

/** As it is written in addresses: browsers drop a cookie of more than 4 KB. */
const MAX_PATH = 2_000

type Begun = { location: string; cookie: string }

/** Where the browser goes to sign in, with the cookie that its answer needs. Throws `ProviderRefusal`. */
export async function beginSignIn(
  deps: Pick<Deps, 'db' | 'settings' | 'secret'>,
  provider: OidcProvider,
  { returnTo, network }: { returnTo: string | undefined; network: string },
): Promise<Begun> {
  await countAttempt(deps.db, PROVIDER_SIGN_IN, network).catch((error) => {
    if (error instanceof AppError && error.code === 'rate_limited')
      throw new ProviderRefusal('OidcTooMany')
    throw error
  })
  const config = await openProvider(provider).catch((error) => {
    throw toRefusal(error)
  })
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ]
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl(deps, provider),
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const id = crypto.randomUUID()
  const pending = { id, provider: provider.name, state, nonce, verifier }
  const path = ownPath(returnTo)
  const sealed = { ...pending, returnTo: path.length > MAX_PATH ? '/' : path }
  return { location: location.href, cookie: await sealCookie(deps, 'pending', sealed) }
}
