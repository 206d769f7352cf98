import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { apiKeys, users } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { Actor } from './rights'
import { namedParts, profileFor, rulesFor } from './rules-for'

const rolesOfKey = sql`coalesce(${apiKeys.roles}, ${users.roles})`.mapWith(users.roles)

/** Keys that open something now: neither revoked nor expired, with an active owner or roles of their own. */
const opensNow = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  or(isNotNull(apiKeys.roles), eq(users.status, 'ACTIVATED')),
)

export type FoundKey = {
  actor: Omit<Actor, 'address'>
  hash: string
  expiresInMs: number | null
}

/** The valid keys that match `where`, as callers: with the rights of their owner, or of the roles of their own. */
export async function findKeys(db: Db, where: SQL): Promise<FoundKey[]> {
  const found = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      userId: users.id,
      roles: rolesOfKey,
      policies: rulesFor(rolesOfKey),
      profile: profileFor(rolesOfKey),
      hash: apiKeys.hash,
      expiresInMs: sql<
        number | null
      >`(extract(epoch from ${apiKeys.expiresAt} - ${now}) * 1000)::float8`,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.ownerId))
    .where(and(where, opensNow))
  return found.map(({ hash, expiresInMs, profile, ...who }) => ({
    actor: { type: 'api_key', ...who, profile: namedParts(who.policies, profile) },
    hash,
    expiresInMs,
  }))
}
