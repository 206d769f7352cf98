import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { type SessionRow, sessions, users } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import {
  SESSION_MAX_AGE_S,
  type SessionClaims,
  type StartedSession,
  sessionIdOf,
  startOfSession,
} from './session-token'

/** Of one user; the one that was unused for longest ends when another begins. */
export const MAX_SESSIONS = 100
const MAX_USER_AGENT = 512
const DAY_S = 24 * 60 * 60

export type NewSession = {
  user: { id: string; sessionVersion: number }
  /** A second factor was checked. */
  strong: boolean
  /** The user may change second factors for some minutes. */
  confirmed?: boolean
  userAgent: string | null
  address: string | null
  signedInBy?: string
  providerSession?: string | null
}

/** Begins a session, in the transaction of the sign-in. */
export async function startSession(
  tx: Db,
  { user, strong, confirmed = false, userAgent, ...kept }: NewSession,
): Promise<StartedSession> {
  const { id: userId, sessionVersion: version } = user
  const since = startOfSession()
  const id = sessionIdOf({ sub: userId, version, since })
  await tx.insert(sessions).values({
    ...{ ...kept, id, userId, version, strong },
    confirmedAt: confirmed ? now : null,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) || null,
  })
  await dropSurplus(tx, userId)
  return { id, userId, version, since }
}

/**
 * Ended sessions keep a row of no user's version until their cookies have expired: one without a row would be
 * taken up again.
 */
const ENDED_VERSION = 0
const isOpen = ne(sessions.version, ENDED_VERSION)
const ENDED = { version: ENDED_VERSION, lastSeenAt: now, userAgent: null, address: null }

/** Of the row that says when all sessions of the user that had no row yet ended. */
const markIdOf = (userId: string) => sessionIdOf({ sub: userId, version: ENDED_VERSION, since: 0 })

/**
 * Makes the row of a session that began in a version without rows. Does nothing for one that has ended, by
 * itself, with the others of the user, or by a change of the account.
 */
export const takeUpSession = (db: Db, { sub, sid, version, since }: SessionClaims) =>
  db.execute(sql`
    insert into ${sessions} (id, user_id, version, strong, created_at)
    select ${sid}::uuid, ${users.id}, ${users.sessionVersion}, false, to_timestamp(${since})
    from ${users}
    left join ${sessions} mark
      on mark.id = ${markIdOf(sub)}::uuid and mark.last_seen_at >= to_timestamp(${since})
    where ${users.id} = ${sub} and ${users.sessionVersion} = ${version} and mark.id is null
    on conflict do nothing`)

const endThoseWithoutRow = (tx: Db, userId: string) =>
  tx
    .insert(sessions)
    .values({ id: markIdOf(userId), userId, version: ENDED_VERSION, strong: false })
    .onConflictDoUpdate({ target: sessions.id, set: { lastSeenAt: now } })

async function dropSurplus(tx: Db, userId: string): Promise<void> {
  const [last] = await tx
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isOpen))
    .orderBy(desc(sessions.lastSeenAt))
    .offset(MAX_SESSIONS)
    .limit(1)
  if (last) {
    const isSurplus = sql`${sessions.lastSeenAt} <= ${last.lastSeenAt}`
    await tx
      .update(sessions)
      .set(ENDED)
      .where(and(eq(sessions.userId, userId), isOpen, isSurplus))
  }
}

/** Whether a second factor was checked in it. */
export async function isStrong(db: Db, id: string | undefined): Promise<boolean> {
  if (id === undefined) return false
  const [found] = await db
    .select({ strong: sessions.strong })
    .from(sessions)
    .where(eq(sessions.id, id))
  return found?.strong ?? false
}

/** Of the user, those that were used last first. Without those that have ended by their age. */
export const listSessions = (db: Db, userId: string, maxDays: number): Promise<SessionRow[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isOpen, isLive(maxDays)))
    .orderBy(desc(sessions.lastSeenAt), sessions.id)
    .limit(MAX_SESSIONS)

const isLive = (maxDays: number) =>
  and(
    gt(sessions.createdAt, sql`${now} - make_interval(secs => ${maxDays * DAY_S})`),
    gt(sessions.lastSeenAt, sql`${now} - make_interval(secs => ${SESSION_MAX_AGE_S})`),
  )

/** Ends one session of the user. False when there is none. */
export async function endSession(tx: Db, userId: string, id: string): Promise<boolean> {
  const ended = await tx
    .update(sessions)
    .set(ENDED)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isOpen))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/**
 * Ends all sessions of the user but `except`, also those of an older version that have no row yet. Returns how
 * many had one.
 */
export async function endOtherSessions(tx: Db, userId: string, except: string): Promise<number> {
  await endThoseWithoutRow(tx, userId)
  const ended = await tx
    .update(sessions)
    .set(ENDED)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, except), isOpen))
    .returning({ id: sessions.id })
  return ended.length
}

/** Deletes rows whose cookies have expired: a cookie is renewed only while its session is used. */
export const sweepSessions = (db: Db) =>
  db
    .delete(sessions)
    .where(
      lt(sessions.lastSeenAt, sql`${now} - make_interval(secs => ${SESSION_MAX_AGE_S + DAY_S})`),
    )
