import { eq, sql } from 'drizzle-orm'
import { type ApiKeyRow, apiKeys } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import type { ApiKey } from './contract'

export async function insertKey(tx: Db, key: typeof apiKeys.$inferInsert): Promise<ApiKeyRow> {
  return one(await tx.insert(apiKeys).values(key).returning())
}

/** Throws `not_found`. */
export async function getKey(db: Db, id: string, { lock = false } = {}): Promise<ApiKeyRow> {
  const query = db.select().from(apiKeys).where(eq(apiKeys.id, id))
  const [found] = isUuid(id) ? await (lock ? query.for('update') : query) : []
  if (!found) throw new AppError('not_found', 'There is no API key with this id')
  return found
}

/** Replaces the secret of a key; the old one becomes invalid immediately. */
export async function replaceSecret(
  tx: Db,
  id: string,
  secret: { prefix: string; hash: string },
): Promise<ApiKeyRow> {
  const changes = { ...secret, lastUsedAt: null }
  return one(await tx.update(apiKeys).set(changes).where(eq(apiKeys.id, id)).returning())
}

/** Keeps the time of the first revocation. */
export async function revoke(tx: Db, id: string): Promise<ApiKeyRow> {
  const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${now})`
  return one(await tx.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.id, id)).returning())
}

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  roles: row.roles,
  status: row.revokedAt
    ? 'REVOKED'
    : row.expiresAt && row.expiresAt.getTime() <= Date.now()
      ? 'EXPIRED'
      : 'ACTIVE',
  ownerId: row.ownerId,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
