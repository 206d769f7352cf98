import 'server-only'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { apiKeys, users } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { hashApiKey, readApiKey } from './api-key'
import type { Actor } from './rights'

/** Who makes this request, checked against the database each time; null without a credential. */
export async function currentActor(request: Request, db: Db): Promise<Actor | null> {
  const key = readApiKey(request.headers)
  return key ? actorByKey(db, key) : null
}

/** Throws `unauthenticated` for a key that is unknown, revoked or expired, or whose owner is not active. */
async function actorByKey(db: Db, key: string): Promise<Actor> {
  const now = new Date()
  const [found] = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      userId: users.id,
      roles: users.roles,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.ownerId))
    .where(
      and(
        eq(apiKeys.hash, hashApiKey(key)),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        eq(users.status, 'ACTIVATED'),
      ),
    )
  if (!found) throw new AppError('unauthenticated', 'The API key is unknown, expired or revoked')
  if (!found.lastUsedAt || now.getTime() - found.lastUsedAt.getTime() > LAST_USED_PRECISION_MS)
    await touch(db, found.id)
  const { id, name, userId, roles, scopes } = found
  return { type: 'api_key', id, name, userId, roles, scopes, address: null }
}

const LAST_USED_PRECISION_MS = 60_000

const touch = (db: Db, id: string) =>
  db.update(apiKeys).set({ lastUsedAt: sql`now()` }).where(eq(apiKeys.id, id))
