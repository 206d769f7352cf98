import type { Layer, Points } from '@/lib/around'
import { readCookie } from '@/lib/auth/read-cookie'
import type { Actor } from '@/lib/auth/rights'
import { usesHttps } from '@/lib/auth/session-cookie'
import { currentBudget, requireBudget, withBudget } from '@/lib/db/budget'
import { databaseError, isConnectionLost, refusalIn } from '@/lib/db/errors'
import { type Lsn, lsnText, maxLsn, parseLsn } from '@/lib/db/log-position'
import type { Replica, ReplicaReader } from '@/lib/db/replica'
import type { Replicas } from '@/lib/db/replicas'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'

/** Of a replica that does not respond: there is time to read from the primary. */
const WAIT_LIMIT_MS = 1_500

/**
 * Records are read from a replica where one is fresh enough, else from the primary. When it fails there, it is read once
 * more from the primary: a replica cancels statements that are in the way of what it replays, and may go away. Callers,
 * definitions and policies come from the primary. The response to a change says its position, and so does that of a feed of changes; a
 * reader that sends it sees the change.
 */
export const replicas: Layer = {
  name: 'replicas',
  around: {
    readRecords: (deps, { system }, next) =>
      !deps.replicas || system ? next(deps) : readReplica(deps, deps.replicas, next),
    async respond(deps, { request, actor, isReading, spec }, next) {
      if (!deps.replicas) return next(deps)
      const sees = positionOf(request, deps.settings)
      const response = await (sees === null ? next(deps) : withBudget({ sees }, () => next(deps)))
      if (!isReading || isFeed(spec))
        await showPosition(response, deps.settings, deps.replicas, actor)
      return response
    },
  },
}

/** What is copied after a cursor of a feed was taken must not be older than that. */
const isFeed = ({ doc }: Points['respond']['input']['spec']) => 'id' in doc && FEEDS.has(doc.id)
const FEEDS = new Set(['followRecordChanges', 'followChanges'])

async function readReplica<T>(
  deps: Deps,
  replicas: Replicas,
  work: (source: Deps) => Promise<T>,
): Promise<T> {
  const replica = await replicas.choose(currentBudget().sees ?? null)
  const reader = replica?.reader
  if (!replica || !reader) return readPrimary(deps, 'primary', work)
  replica.active++
  try {
    const source = sourceOf(deps, reader)
    const result = await withBudget({ waitLimitMs: WAIT_LIMIT_MS }, () => work(source))
    metrics().reads.inc({ source: 'replica' })
    return result
  } catch (error) {
    if (!isReplicaFault(error, replica, reader)) throw error
    if (isConnectionLost(error)) replica.lose()
    requireBudget(currentBudget())
  } finally {
    replica.active--
  }
  return readPrimary(deps, 'retried', work)
}

function readPrimary<T>(
  deps: Deps,
  source: 'primary' | 'retried',
  work: (source: Deps) => Promise<T>,
): Promise<T> {
  metrics().reads.inc({ source })
  return work(deps)
}

/**
 * Whether it may succeed on the primary: any error of the database, which may be of a table, column or function that
 * the replica has not yet, and a refusal of a pool whose server has gone away.
 */
function isReplicaFault(error: unknown, replica: Replica, reader: ReplicaReader): boolean {
  if (databaseError(error) || isConnectionLost(error)) return true
  return refusalIn(error)?.code === 'unavailable' && replica.reader !== reader
}

const sources = new WeakMap<ReplicaReader, WeakMap<Deps, Deps>>()

/**
 * The same object each time, by which totals and pages are remembered: versions of tables are those of a server, since
 * a replica may show two transactions in another order than the primary did.
 */
function sourceOf(deps: Deps, reader: ReplicaReader): Deps {
  const known = sources.get(reader) ?? new WeakMap<Deps, Deps>()
  sources.set(reader, known)
  const { db, copyOut } = reader
  const source = known.get(deps) ?? { ...deps, db, copyOut, primary: deps }
  known.set(deps, source)
  return source
}

/** Of a change: its position in the log. Of a read: the change that it must show. */
const CONSISTENCY_HEADER = 'X-Engine-Consistency'

/** A replica that is read is at most `MAX_REPLICA_LAG_MS` behind; this is for the browser's way. */
const MORE_AGE_S = 10

const cookieName = (settings: Env) => `${usesHttps(settings) ? '__Secure-' : ''}engine.consistency`

function positionOf({ headers }: Request, settings: Env): Lsn | null {
  const received = headers.get(CONSISTENCY_HEADER)
  const ofHeader = received === null ? null : parseLsn(received)
  if (received !== null && ofHeader === null) throw new AppError('invalid_input', BAD_HEADER)
  const ofCookie = parseLsn(readCookie(headers, cookieName(settings)) ?? '')
  return ofHeader !== null && ofCookie !== null
    ? maxLsn(ofHeader, ofCookie)
    : (ofHeader ?? ofCookie)
}

const BAD_HEADER = `${CONSISTENCY_HEADER} must be the value of that header in the response to a change`

/**
 * Gives the response to a change the position by which reads see it: as a header, and for a browser's session as a
 * cookie too, which pages send that were not loaded yet.
 */
async function showPosition(
  { headers }: Response,
  settings: Env,
  replicas: Replicas,
  caller: Actor | null,
): Promise<void> {
  const position = lsnText(await replicas.position())
  headers.set(CONSISTENCY_HEADER, position)
  if (caller?.type === 'user') headers.append('Set-Cookie', cookie(position, settings))
}

function cookie(position: string, settings: Env): string {
  const maxAgeS = Math.ceil(settings.MAX_REPLICA_LAG_MS / 1000) + MORE_AGE_S
  const secure = usesHttps(settings) ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
  return `${cookieName(settings)}=${position}; ${attributes}`
}
