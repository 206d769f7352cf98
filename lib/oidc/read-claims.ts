import { isDeepStrictEqual } from 'node:util'
import * as client from 'openid-client'
import type { OidcProvider } from '@/lib/env'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import { claimAt } from './map-roles'
import type { Claims } from './read-statement'

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers

/** What the tokens say of the person, with what the provider keeps for a second request. Throws what `openid-client` does. */
export async function readClaims(
  config: client.Configuration,
  provider: OidcProvider,
  tokens: Tokens,
): Promise<Claims> {
  const signed = tokens.claims() as Claims | undefined
  const { issuer, userinfo_endpoint: more } = config.serverMetadata()
  if (signed && (isWhole(provider, signed) || !more)) return signed
  if (!more) throw new ProviderRefusal('OidcInvalid', { why: 'there is no ID token' })
  const told = await client.fetchUserInfo(
    config,
    tokens.access_token,
    signed?.sub ?? client.skipSubjectCheck,
  )
  return signed ? add(signed, told) : ({ ...ofPerson(told), iss: issuer } as Claims)
}

/** What is signed counts: the rest may only be added to it. */
function add(signed: Claims, told: client.UserInfoResponse): Claims {
  const differing = ['email', 'email_verified'].filter(
    (name) => name in signed && !isDeepStrictEqual(signed[name], told[name]),
  )
  return differing.length > 0 ? signed : { ...ofPerson(told), ...signed }
}

/** Without what is of one sign-in, of which the second request knows nothing. */
function ofPerson({ acr: _, amr: __, sid: ___, ...rest }: client.UserInfoResponse) {
  return rest
}

const isWhole = ({ rolesClaim, rolesMap }: OidcProvider, claims: Claims): boolean =>
  claims.email !== undefined &&
  claims.email_verified !== undefined &&
  (rolesMap.length === 0 || claimAt(claims, rolesClaim) !== undefined)
