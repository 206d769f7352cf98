import { isDeepStrictEqual } from 'node:util'
import * as client from 'openid-client'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { spendOnce } from '@/lib/second-factors/challenge-store'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import { recordFailedSignIn, type SignInDeps } from '@/lib/users/record-sign-in'
import {
  type ProviderOutcome,
  type ProviderStatement,
  signInByProvider,
} from '@/lib/users/sign-in-by-provider'
import type { Visitor } from '@/lib/users/visitor'
import { callbackUrl } from './begin-sign-in'
import { claimAt } from './map-roles'
import { openProvider } from './provider-client'
import { type Claims, readStatement } from './read-statement'
import { toRefusal } from './refusals'
import type { Pending } from './sealed-cookie'

type Answer = { search: string; pending: Pending | null }
type FinishDeps = SignInDeps & Pick<Deps, 'settings'>

/**
 * Signs in by the answer of a provider, which must be to the sign-in that this browser began. Throws `ProviderRefusal`,
 * which is in the audit log where a person is known.
 */
export async function finishSignInAtProvider(
  deps: FinishDeps,
  provider: OidcProvider,
  { search, pending }: Answer,
  visitor: Visitor,
): Promise<ProviderOutcome> {
  const begun = requireBegun(provider, search, pending)
  // Before the provider is asked: one sign-in that was begun costs it one answer.
  if (!(await spendOnce(deps.db, begun.id)))
    throw new ProviderRefusal('OidcExpired', { why: 'this answer was used before' })
  const claims = await readClaims(deps, provider, search, begun).catch((error) => {
    throw toRefusal(error)
  })
  const statement = readStatement(provider, claims)
  // The code is spent, and the time limit of a request that reads may be over while the provider answers.
  const { WRITE_TIMEOUT_MS: ms, READ_TIMEOUT_MS } = deps.settings
  const limits = { ms, waitMs: READ_TIMEOUT_MS / 2, request: {} }
  return withOwnBudget(limits, () => signInOrNote(deps, statement, visitor))
}

async function signInOrNote(
  deps: FinishDeps,
  statement: ProviderStatement,
  visitor: Visitor,
): Promise<ProviderOutcome> {
  try {
    return await signInByProvider(deps, statement, visitor)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    const { code: reason, userId } = error
    const attempt = { email: statement.signIn.email ?? '', ...visitor }
    const user = userId === null ? null : { id: userId }
    await recordFailedSignIn(deps.db, attempt, { user, reason })
    throw error
  }
}

/** Another browser's answer, which its owner may have sent here, signs nobody in. */
function requireBegun({ name }: OidcProvider, search: string, pending: Pending | null): Pending {
  const state = new URLSearchParams(search).get('state')
  if (!pending) throw new ProviderRefusal('OidcExpired', { why: 'no sign-in was begun here' })
  if (pending.provider !== name || state !== pending.state)
    throw new ProviderRefusal('OidcExpired', { why: 'it is the answer to another sign-in' })
  return pending
}

async function readClaims(
  deps: FinishDeps,
  provider: OidcProvider,
  search: string,
  { state, nonce, verifier }: Pending,
): Promise<Claims> {
  const config = await openProvider(provider)
  const url = new URL(callbackUrl(deps, provider))
  url.search = search
  const tokens = await client.authorizationCodeGrant(config, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
    idTokenExpected: true,
  })
  const claims = tokens.claims() as Claims | undefined
  if (!claims) throw new ProviderRefusal('OidcInvalid', { why: 'there is no ID token' })
  if (isWhole(provider, claims) || !config.serverMetadata().userinfo_endpoint) return claims
  const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  // What is signed counts: the rest may only be added to it.
  const differing = ['email', 'email_verified'].filter(
    (name) => name in claims && !isDeepStrictEqual(claims[name], more[name]),
  )
  if (differing.length > 0) return claims
  // These are of this sign-in, of which the second request knows nothing.
  const { acr: _, amr: __, sid: ___, ...ofPerson } = more
  return { ...ofPerson, ...claims }
}

/** Some providers keep parts for the second request. */
const isWhole = ({ rolesClaim, rolesMap }: OidcProvider, claims: Claims): boolean =>
  claims.email !== undefined &&
  claims.email_verified !== undefined &&
  (rolesMap.length === 0 || claimAt(claims, rolesClaim) !== undefined)
