import * as client from 'openid-client'
import type { OidcProvider } from '@/lib/env'
import { boundedFetch, PROVIDER_TIMEOUT_S } from './bounded-fetch'

/** Between the clocks of this server and the provider. */
export const CLOCK_TOLERANCE_S = 60
/** What a provider says about itself is asked for again after this time. */
const KNOWN_FOR_MS = 10 * 60_000

type Known = { metadata: Promise<client.ServerMetadata>; until: number }
const known = new WeakMap<OidcProvider, Known>()

/**
 * A client of the provider. Its keys are loaded by each, so that a key that the provider has just begun to use is
 * known. Throws what `openid-client` does.
 */
export async function openProvider(provider: OidcProvider): Promise<client.Configuration> {
  const metadata = await readProvider(provider)
  const { clientId, clientSecret } = provider
  const auth = authOf(metadata, clientSecret)
  const own = { [client.clockTolerance]: CLOCK_TOLERANCE_S }
  const config = new client.Configuration(metadata, clientId, own, auth)
  config.timeout = PROVIDER_TIMEOUT_S
  config[client.customFetch] = boundedFetch
  // Without it, what comes from the token endpoint would be believed unsigned.
  client.enableNonRepudiationChecks(config)
  if (isHttp(provider)) client.allowInsecureRequests(config)
  return config
}

/** What a provider says about itself, as it was known some minutes ago. */
export function readProvider(provider: OidcProvider): Promise<client.ServerMetadata> {
  const found = known.get(provider)
  if (found && found.until > Date.now()) return found.metadata
  const metadata = discover(provider)
  known.set(provider, { metadata, until: Date.now() + KNOWN_FOR_MS })
  metadata.catch(() => known.delete(provider))
  return metadata
}

/** Asks the provider now. */
export async function discover(provider: OidcProvider): Promise<client.ServerMetadata> {
  const { issuer, clientId } = provider
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    timeout: PROVIDER_TIMEOUT_S,
    [client.customFetch]: boundedFetch,
    ...(isHttp(provider) && { execute: [client.allowInsecureRequests] }),
  })
  // Values alone: `openid-client` marks those of Entra ID, to accept tokens of any of its tenants.
  return JSON.parse(JSON.stringify(found.serverMetadata())) as client.ServerMetadata
}

/** `isIssuer` of the settings lets it be on this machine alone. */
const isHttp = ({ issuer }: OidcProvider) => issuer.startsWith('http:')

function authOf(
  { token_endpoint_auth_methods_supported: methods }: client.ServerMetadata,
  secret: string | null,
): client.ClientAuth {
  if (secret === null) return client.None()
  const isBasic = methods === undefined || methods.includes('client_secret_basic')
  return isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
}
