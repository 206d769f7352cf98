import * as client from 'openid-client'
import { recordAudit } from '@/lib/audit/record-audit'
import { endSession } from '@/lib/auth/session-store'
import { decrypt, encrypt } from '@/lib/crypto/stored-text'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { findLinkedUser } from '@/lib/users/identity-store'
import { type ProviderSignIn, setRoles, wayOf } from '@/lib/users/provider-changes'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import {
  type ClaimedCheck,
  claimCheck,
  confirmProviderSession,
  isStanding,
  keepToken,
  type ProviderCheck,
  releaseCheck,
} from '@/lib/users/provider-sessions'
import { lockAdministrators, lockUser } from '@/lib/users/store'
import { boundedFetch } from './bounded-fetch'
import { claimAt } from './map-roles'
import { openProvider } from './provider-client'
import { readClaims } from './read-claims'
import { type Claims, readStatement } from './read-statement'
import { toRefusal } from './refusals'

type CheckDeps = Pick<Deps, 'db' | 'settings' | 'secret' | 'log'>

/** What to keep of the tokens of a provider, to ask it again; null: it is not asked. */
export function checkOf(
  { settings, secret }: Pick<Deps, 'settings' | 'secret'>,
  { rolesSource }: OidcProvider,
  refreshToken: string | undefined,
): ProviderCheck | null {
  if (settings.OIDC_RECHECK === null) return null
  if (refreshToken === undefined && rolesSource !== 'provider') return null
  const id = crypto.randomUUID()
  return { id, token: refreshToken === undefined ? null : sealed({ secret }, id, refreshToken) }
}

const sealed = ({ secret }: Pick<Deps, 'secret'>, id: string, token: string) =>
  encrypt(secret, { purpose: 'provider-token', id }, token)

/**
 * Asks the provider by which a session began whether it still stands, if nobody else is asking, and gives the user
 * the roles of now. What the provider refuses ends the session; one that is away or in error changes nothing. Returns whether it was asked. Never throws.
 */
export async function checkSession(deps: CheckDeps, sessionId: string): Promise<boolean> {
  const claimed = await claimCheck(deps.db, sessionId).catch(() => null)
  const everyMs = deps.settings.OIDC_RECHECK
  if (claimed === null || everyMs === null) return false
  try {
    const answer = await ask(deps, claimed)
    await deps.db.transaction((tx) => apply(tx, claimed, answer, everyMs))
  } catch (error) {
    logRefusal(deps, claimed.provider, toRefusal(error))
    await releaseCheck(deps.db, claimed.id).catch(() => null)
  }
  return true
}

/** Every session in use would say it each time, as long as a provider is away. */
const LOG_EVERY_MS = 60_000
const loggedAt = new Map<string, number>()

function logRefusal({ log }: CheckDeps, provider: string, { code, detail }: ProviderRefusal): void {
  const isNews = Date.now() - (loggedAt.get(provider) ?? 0) > LOG_EVERY_MS
  if (isNews) loggedAt.set(provider, Date.now())
  const line = { ...detail, provider, refusal: code }
  log[isNews ? 'warn' : 'debug'](line, 'A provider did not confirm a session')
}

type Answer = ProviderSignIn | 'refused'

async function ask(
  deps: CheckDeps,
  { id, token: stored, ...claimed }: ClaimedCheck,
): Promise<Answer> {
  if (stored === null) return 'refused'
  const provider = deps.settings.OIDC.find(({ name }) => name === claimed.provider)
  const token = decrypt(deps.secret, { purpose: 'provider-token', id }, stored)
  if (!provider || token === null)
    throw new ProviderRefusal('OidcInvalid', {
      why: 'the provider or the secret of this server is another',
    })
  const config = await openProvider(provider)
  config[client.customFetch] = keepingToken(deps, id, config.serverMetadata().token_endpoint)
  const tokens = await client.refreshTokenGrant(config, token).catch((error: unknown) => {
    if (isRefused(error)) return null
    throw error
  })
  if (tokens === null) return 'refused'
  const claims = await readClaims(config, provider, tokens)
  if (!saysRoles(provider, claims, tokens.claims() !== undefined))
    throw new ProviderRefusal('OidcInvalid', { claim: provider.rolesClaim })
  return readStatement(provider, claims).signIn
}

/** Keeps the next token as soon as it arrives: what comes with it may be refused, or its keys be out of reach. */
const keepingToken =
  (deps: CheckDeps, id: string, endpoint: string | undefined): client.CustomFetch =>
  async (url, options) => {
    const response = await boundedFetch(url, options)
    if (url !== endpoint || !response.ok) return response
    const body = await response
      .clone()
      .json()
      .catch(() => null)
    const next: unknown = body?.refresh_token
    if (typeof next === 'string' && next !== '')
      await keepToken(deps.db, { id, token: sealed(deps, id, next) })
    return response
  }

/** The person was disabled, or the session there has ended. */
const isRefused = (error: unknown) =>
  error instanceof client.ResponseBodyError && error.error === 'invalid_grant'

/** Without an ID token, a claim that is missing need not mean that there are no values. */
const saysRoles = ({ rolesSource, rolesClaim }: OidcProvider, claims: Claims, isSigned: boolean) =>
  rolesSource !== 'provider' || isSigned || claimAt(claims, rolesClaim) !== undefined

async function apply(
  tx: Db,
  { id, sessionId, userId, provider }: ClaimedCheck,
  answer: Answer,
  everyMs: number,
): Promise<void> {
  if (answer === 'refused' || (await findLinkedUser(tx, answer)) !== userId)
    return end(tx, { sessionId, userId, provider })
  if (answer.roles) {
    await lockAdministrators(tx)
    await lockUser(tx, userId)
    // What was said later may have come first: it has given its roles, and ended the session.
    if (!(await isStanding(tx, id))) return
    await setRoles(tx, userId, answer, { actor: { type: 'system' } })
  }
  await confirmProviderSession(tx, id, everyMs)
}

type Ended = Pick<ClaimedCheck, 'sessionId' | 'userId' | 'provider'>

async function end(tx: Db, { sessionId, userId, provider }: Ended): Promise<void> {
  if (!(await endSession(tx, userId, sessionId))) return
  await recordAudit(
    tx,
    { type: 'system' },
    {
      action: 'users.end-sessions',
      objectType: 'user',
      objectId: userId,
      details: { by: wayOf({ provider }) },
    },
  )
}
