import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { now } from '@/lib/db/functions'
import { type SessionRow, sessions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { SESSION_MAX_AGE_S, type StartedSession } from './session-token'

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
}

/** Begins a session, in the transaction of the sign-in. */
export async function startSession(
  tx: Db,
  { user, strong, confirmed = false, userAgent, address }: NewSession,
): Promise<StartedSession> {
  const id = randomUUID()
  const { id: userId, sessionVersion: version } = user
  await tx.insert(sessions).values({
    ...{ id, userId, version, strong, address },
    confirmedAt: confirmed ? now : null,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) || null,
  })
  await dropSurplus(tx, userId)
  return { id, userId, version }
}

async function dropSurplus(tx: Db, userId: string): Promise<void> {
  const [last] = await tx
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt))
    .offset(MAX_SESSIONS)
    .limit(1)
  if (last)
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), sql`${sessions.lastSeenAt} <= ${last.lastSeenAt}`))
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
    .where(and(eq(sessions.userId, userId), isLive(maxDays)))
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
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** Ends all sessions of the user but `except`. Returns how many. */
export async function endOtherSessions(tx: Db, userId: string, except: string): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, except)))
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
