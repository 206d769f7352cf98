import { and, eq, lte } from 'drizzle-orm'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { recordAudit } from '@/lib/audit/record-audit'
import { endSession } from '@/lib/auth/session-store'
import { sessions } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { canonicalIssuer, findLinkedUser } from '@/lib/users/identity-store'
import { wayOf } from '@/lib/users/provider-changes'
import { boundedFetch } from './bounded-fetch'
import { CLOCK_TOLERANCE_S, readProvider } from './provider-client'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Signed by the provider: a secret that both know would be ours to sign with, too. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']
const MAX_AGE = '10 min'

type Caller = { address: string | null; requestId: string }

/**
 * Ends the sessions of which a provider says that they are over (OpenID Connect Back-Channel Logout 1.0): of one session
 * there, or all of a person that began by it. Sessions that began after the token was made stay, so that it ends nothing when it is sent again.
 * Throws `invalid_input`.
 */
export async function endProviderSessions(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  provider: OidcProvider,
  token: string,
  { address, requestId }: Caller,
): Promise<void> {
  const { subject, session, at } = await readLogoutToken(provider, token).catch((error) => {
    const code = (error as { code?: unknown }).code
    log.warn({ provider: provider.name, code, requestId }, 'A logout of a provider was refused')
    throw new AppError('invalid_input', 'The logout token is not valid')
  })
  const issuer = canonicalIssuer(provider.issuer)
  const userId = subject && (await findLinkedUser(db, { issuer, subject }))
  if (subject && !userId) return
  await db.transaction(async (tx) => {
    const begun = await tx
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .where(
        and(
          eq(sessions.signedInBy, wayOf({ provider: provider.name })),
          lte(sessions.createdAt, at),
          userId ? eq(sessions.userId, userId) : undefined,
          session ? eq(sessions.providerSession, session) : undefined,
        ),
      )
      .for('update')
    const users = new Set(begun.map((one) => one.userId))
    for (const one of begun) await endSession(tx, one.userId, one.id)
    for (const objectId of users)
      await recordAudit(
        tx,
        { type: 'anonymous', address },
        {
          action: 'users.end-sessions',
          objectType: 'user',
          objectId,
          details: { by: wayOf({ provider: provider.name }) },
          requestId,
        },
      )
  })
}

type Logout = { subject: string | null; session: string | null; at: Date }

async function readLogoutToken(provider: OidcProvider, token: string): Promise<Logout> {
  const { issuer } = await readProvider(provider)
  const { clientId: audience } = provider
  const { payload } = await jwtVerify(token, createLocalJWKSet(await keysOf(provider)), {
    ...{ issuer, audience, algorithms: ALGORITHMS },
    ...{ clockTolerance: CLOCK_TOLERANCE_S, maxTokenAge: MAX_AGE },
  })
  const { sub = null, sid, iat = 0, nonce, events } = payload
  const session = typeof sid === 'string' ? sid : null
  const isLogout = typeof events === 'object' && events !== null && EVENT in events
  // A nonce would make it an ID token.
  if (!isLogout || nonce !== undefined || (sub === null && session === null))
    throw new Error('It is no logout token')
  return { subject: sub, session, at: new Date((iat + 1) * 1000) }
}

const KEYS_KNOWN_FOR_MS = 30_000
type Known = { keys: Promise<JSONWebKeySet>; until: number }
const known = new WeakMap<OidcProvider, Known>()

/** Kept for a moment: anyone may send a token. */
function keysOf(provider: OidcProvider): Promise<JSONWebKeySet> {
  const found = known.get(provider)
  if (found && found.until > Date.now()) return found.keys
  const keys = loadKeys(provider)
  keys.catch(() => {})
  known.set(provider, { keys, until: Date.now() + KEYS_KNOWN_FOR_MS })
  return keys
}

async function loadKeys(provider: OidcProvider): Promise<JSONWebKeySet> {
  const { jwks_uri: address } = await readProvider(provider)
  if (!address) throw new Error('The provider has no keys')
  const headers = { accept: 'application/json' }
  const response = await boundedFetch(address, { method: 'GET', headers })
  return (await response.json()) as JSONWebKeySet
}
