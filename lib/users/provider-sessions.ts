import { and, eq, lte, sql } from 'drizzle-orm'
import { providerSessions, sessions, users } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'

/** What a provider gave to ask it again; `token` is encrypted, null where it gave none. */
export type ProviderCheck = { id: string; token: string | null }

/** It is asked again after half of the time, so that one that is away for a moment ends no session. */
const timesFrom = (everyMs: number) => ({
  checkAt: inMs(everyMs / 2),
  endsAt: inMs(everyMs),
})
const inMs = (ms: number) => sql<Date>`${now} + make_interval(secs => ${ms / 1000})`

type Kept = { sessionId: string; provider: string; check: ProviderCheck; everyMs: number }

/** In the transaction that begins the session. */
export const keepProviderSession = (tx: Db, { sessionId, provider, check, everyMs }: Kept) =>
  tx.insert(providerSessions).values({
    ...{ id: check.id, sessionId, provider, refreshToken: check.token },
    ...timesFrom(everyMs),
    ...(check.token === null && { checkAt: inMs(everyMs) }),
  })

export type ProviderSessionState = {
  /** The provider is to be asked. */
  isDue: boolean
  /** Refused until it has confirmed the session. */
  isOver: boolean
  endsInMs: number
}

/** Null for a session that no provider has to confirm. */
export async function readProviderSession(
  db: Db,
  sessionId: string,
): Promise<ProviderSessionState | null> {
  const [found] = await db
    .select({
      isDue: sql<boolean>`${providerSessions.checkAt} <= ${now}`,
      isOver: sql<boolean>`${providerSessions.endsAt} <= ${now}`,
      endsInMs: sql<number>`(1000 * extract(epoch from ${providerSessions.endsAt} - ${now}))::float8`,
    })
    .from(providerSessions)
    .where(eq(providerSessions.sessionId, sessionId))
  return found ?? null
}

/** Longer than a check takes: most providers take a token that is used a second time for a stolen one. */
const CLAIM_MS = 60_000
const TRY_AGAIN_MS = 15_000

export type ClaimedCheck = ProviderCheck & { sessionId: string; provider: string; userId: string }

/** One of many who ask at once gets it, on whichever instance; the others do without. */
export async function claimCheck(db: Db, sessionId: string): Promise<ClaimedCheck | null> {
  const [claimed] = await db
    .update(providerSessions)
    .set({ checkAt: inMs(CLAIM_MS) })
    .from(sessions)
    .where(
      and(
        eq(providerSessions.sessionId, sessionId),
        lte(providerSessions.checkAt, now),
        eq(sessions.id, providerSessions.sessionId),
      ),
    )
    .returning({
      id: providerSessions.id,
      sessionId: providerSessions.sessionId,
      provider: providerSessions.provider,
      token: providerSessions.refreshToken,
      userId: sessions.userId,
    })
  return claimed ?? null
}

/** The provider gave no answer that counts: it is asked again after some seconds. */
export const releaseCheck = (db: Db, id: string) =>
  db
    .update(providerSessions)
    .set({ checkAt: inMs(TRY_AGAIN_MS) })
    .where(eq(providerSessions.id, id))

/** The one to ask with the next time, whatever comes of this one: the one before is void. */
export const keepToken = (db: Db, { id, token }: ProviderCheck) =>
  db.update(providerSessions).set({ refreshToken: token }).where(eq(providerSessions.id, id))

/** The provider has confirmed it. */
export const confirmProviderSession = (tx: Db, id: string, everyMs: number) =>
  tx.update(providerSessions).set(timesFrom(everyMs)).where(eq(providerSessions.id, id))

/** Whether the session has not ended meanwhile. */
export async function isStanding(tx: Db, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: providerSessions.id })
    .from(providerSessions)
    .innerJoin(sessions, eq(sessions.id, providerSessions.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(providerSessions.id, id), eq(sessions.version, users.sessionVersion)))
  return found.length > 0
}

/** Forgets what was kept of sessions that have ended. */
export const sweepProviderSessions = (db: Db) =>
  db.execute(sql`
    delete from ${providerSessions} using ${sessions}, ${users}
    where ${sessions.id} = ${providerSessions.sessionId} and ${users.id} = ${sessions.userId}
      and ${sessions.version} <> ${users.sessionVersion}`)
