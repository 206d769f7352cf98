import type { Layer } from '@/lib/around'
import { currentBudget, requireBudget, withBudget } from '@/lib/db/budget'
import { databaseError, isConnectionLost, refusalIn } from '@/lib/db/errors'
import type { Replica, ReplicaReader } from '@/lib/db/replica'
import type { Replicas } from '@/lib/db/replicas'
import type { Deps } from '@/lib/deps'
import { metrics } from '@/lib/metrics/metrics'

/** Of a replica that does not respond: there is time to read from the primary. */
const PATIENCE_MS = 1_500

/**
 * Records are read from a replica where one is fresh enough, else from the primary. When it fails there, it is read once
 * more from the primary: a replica cancels statements that are in the way of what it replays, and may go away. Callers,
 * definitions and policies come from the primary.
 */
export const replicas: Layer = {
  name: 'replicas',
  around: {
    readRecords: (deps, { system }, next) =>
      !deps.replicas || system ? next(deps) : readReplica(deps, deps.replicas, next),
  },
}

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
    const result = await withBudget({ patienceMs: PATIENCE_MS }, () => work(source))
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
