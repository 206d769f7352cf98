import { randomUUID } from 'node:crypto'
import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { hasAdminRole } from '@/lib/auth/has-admin-role'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { sessions, type UserRow, users, userTokens } from '@/lib/db/schema'
import { type Db, lower, now, one, plus } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { type JsonObject, parseJson, stringifyExactly } from '@/lib/values/json'
import { isUuid } from '@/lib/values/uuid'
import type { InitialUser, User } from './contract'

export type TokenKind = (typeof userTokens.$inferSelect)['kind']
type NewUser = Omit<typeof users.$inferInsert, 'id'> & { id: string }

/** Drivers round numbers in JSON, so the profile is read as text, with marked numbers. */
const COLUMNS = {
  ...getTableColumns(users),
  profile: sql`${users.profile}::text`.mapWith(
    (text: string) => parseJson(text, { exactly: true }) as JsonObject,
  ),
}

/** A profile with marked numbers, as SQL that keeps all their digits. */
const profileSql = (profile: JsonObject | undefined) =>
  profile === undefined ? {} : { profile: sql`${stringifyExactly(profile)}::jsonb` }

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  if (!isUuid(id)) return null
  const [found] = await db.select(COLUMNS).from(users).where(eq(users.id, id))
  return found ?? null
}

/** Emails are case-insensitive. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [found] = await db
    .select(COLUMNS)
    .from(users)
    .where(eq(lower(users.email), lower(email)))
  return found ?? null
}

/** The user, locked until the transaction ends. Throws `not_found`. */
export async function lockUser(tx: Db, id: string): Promise<UserRow> {
  const query = tx.select(COLUMNS).from(users).where(eq(users.id, id)).for('update')
  const [found] = isUuid(id) ? await query : []
  if (!found) throw new AppError('not_found', 'There is no user with this id')
  return found
}

/**
 * Throws `conflict` when the email is taken; the index decides, so that one of many concurrent
 * callers succeeds.
 */
export async function insertUser(tx: Db, user: NewUser): Promise<UserRow> {
  const values = { ...user, ...profileSql(user.profile) }
  const query = tx.insert(users).values(values).onConflictDoNothing()
  const [inserted] = await query.returning(COLUMNS)
  if (!inserted) throw new AppError('conflict', 'A user with this e-mail already exists')
  return inserted
}

/** `endSessions` ends all sessions of the user, on every instance. */
export async function updateUser(
  tx: Db,
  id: string,
  changes: Partial<UserRow>,
  { endSessions = false } = {},
): Promise<UserRow> {
  const version = endSessions ? { sessionVersion: plus(users.sessionVersion, 1) } : {}
  if (endSessions) await tx.delete(sessions).where(eq(sessions.userId, id))
  return one(
    await tx
      .update(users)
      .set({ ...changes, ...profileSql(changes.profile), ...version })
      .where(eq(users.id, id))
      .returning(COLUMNS),
  )
}

export const deleteUser = (tx: Db, id: string) => tx.delete(users).where(eq(users.id, id))

/** Serialises changes of administrators until the transaction ends. */
export const lockAdministrators = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(${SERVER_LOCKS.administrators})`)

export async function hasActiveAdministrator(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.status, 'ACTIVATED'), hasAdminRole))
    .limit(1)
  return found.length > 0
}

/** Replaces the link of this kind. Does nothing for a user who does not exist. */
export async function replaceToken(
  tx: Db,
  token: { userId: string; kind: TokenKind; tokenHash: string; expiresAt: Date },
): Promise<void> {
  const { userId, kind, tokenHash, expiresAt } = token
  const tokenOfUser = tx
    .select({
      id: sql`${randomUUID()}::uuid`.as('id'),
      userId: users.id,
      kind: sql`${kind}`.as('kind'),
      tokenHash: sql`${tokenHash}`.as('token_hash'),
      expiresAt: sql`${expiresAt.toISOString()}::timestamptz`.as('expires_at'),
      createdAt: now.as('created_at'),
    })
    .from(users)
    .where(eq(users.id, userId))
  await tx
    .insert(userTokens)
    .select(tokenOfUser)
    .onConflictDoUpdate({
      target: [userTokens.userId, userTokens.kind],
      set: { tokenHash, expiresAt, createdAt: now },
    })
}

/**
 * Deletes a valid token and returns its user's id, or null: one of many concurrent callers gets it.
 */
export async function takeToken(
  tx: Db,
  kind: TokenKind,
  tokenHash: string,
): Promise<string | null> {
  const [taken] = await tx
    .delete(userTokens)
    .where(live(kind, tokenHash))
    .returning({ userId: userTokens.userId })
  return taken?.userId ?? null
}

export async function isLiveToken(db: Db, kind: TokenKind, tokenHash: string): Promise<boolean> {
  const found = await db.select({ id: userTokens.id }).from(userTokens).where(live(kind, tokenHash))
  return found.length > 0
}

const live = (kind: TokenKind, tokenHash: string) =>
  and(eq(userTokens.tokenHash, tokenHash), eq(userTokens.kind, kind), gt(userTokens.expiresAt, now))

/** Deletes all links of the user. */
export const dropTokens = (tx: Db, userId: string) =>
  tx.delete(userTokens).where(eq(userTokens.userId, userId))

/** A list of one user as JSON text, in which the numbers of the profile have all their digits. */
export const userText = (user: User | InitialUser): string => stringifyExactly([user])

/** A user as the API shows them: no hash, no version. */
export const toUser = (row: UserRow): User => ({
  userId: row.id,
  email: row.email,
  roles: row.roles,
  profile: row.profile,
  status: row.status,
  mustChangePassword: row.mustChangePassword,
  activatedAt: row.activatedAt?.toISOString() ?? null,
  lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
