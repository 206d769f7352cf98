import { randomBytes } from 'node:crypto'
import { eq, isNull, lt, or, sql } from 'drizzle-orm'
import { sha256 } from '@/lib/crypto/sha256'
import { reasonOf } from '@/lib/db/errors'
import { scimTokens } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { callerAddress } from './request-origin'
import type { Actor } from './rights'

const VISIBLE_LENGTH = 12

export type NewScimToken = { token: string; prefix: string; hash: string }

/** A new token of 256 random bits. Only `prefix` and `hash` may be kept. */
export function generateScimToken(): NewScimToken {
  const token = `scim_${randomBytes(32).toString('base64url')}`
  return { token, prefix: token.slice(0, VISIBLE_LENGTH), hash: hashOf(token) }
}

const hashOf = (token: string) => sha256(token, 'hex')

type Source = Pick<Deps, 'db' | 'settings' | 'log'>

/**
 * The identity provider that sends this request. Read from the database each time, so that a revoked token is refused
 * at once everywhere. Throws `not_found` while there is no token at all, and `unauthenticated` for any other credential.
 */
export async function scimCaller(
  { headers }: Pick<Request, 'headers'>,
  deps: Source,
): Promise<Actor> {
  const [known] = await deps.db.select().from(scimTokens)
  if (!known)
    throw new AppError('not_found', 'SCIM is off: an administrator makes a token in Settings')
  const sent = /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1]
  // Hashes are compared, of which a guess says nothing.
  if (sent === undefined || hashOf(sent) !== known.hash)
    throw new AppError('unauthenticated', 'Send the SCIM token as "Authorization: Bearer <token>"')
  await recordUse(deps, known.id)
  const address = callerAddress(headers, deps.settings.TRUST_PROXY)
  const { id } = known
  return { type: 'api_key', id, name: 'SCIM', userId: null, roles: [], scopes: [], address }
}

/** A use that cannot be written, as on a read-only database, fails no request. */
async function recordUse({ db, log }: Source, id: string): Promise<void> {
  const { lastUsedAt } = scimTokens
  const isOld = or(isNull(lastUsedAt), lt(lastUsedAt, sql`${now} - interval '1 minute'`))
  await db
    .update(scimTokens)
    .set({ lastUsedAt: now })
    .where(sql`${eq(scimTokens.id, id)} and ${isOld}`)
    .catch((error) => log.debug({ error: reasonOf(error) }, 'use of the SCIM token not recorded'))
}
