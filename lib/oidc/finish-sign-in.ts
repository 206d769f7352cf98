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
import { checkOf } from './check-session'
import { openProvider } from './provider-client'
import { readClaims } from './read-claims'
import { readStatement } from './read-statement'
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
  const statement = await askProvider(deps, provider, search, begun).catch((error) => {
    throw toRefusal(error)
  })
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

/** What the provider says to the code that the browser brought. */
async function askProvider(
  deps: FinishDeps,
  provider: OidcProvider,
  search: string,
  { state, nonce, verifier }: Pending,
): Promise<ProviderStatement> {
  const config = await openProvider(provider)
  const url = new URL(callbackUrl(deps, provider))
  url.search = search
  const tokens = await client.authorizationCodeGrant(config, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
    idTokenExpected: true,
  })
  const statement = readStatement(provider, await readClaims(config, provider, tokens))
  const check = checkOf(deps, provider, tokens.refresh_token)
  return { ...statement, signIn: { ...statement.signIn, check } }
}
