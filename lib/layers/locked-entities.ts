import type { Layer } from '@/lib/around'
import { isLockTimeout } from '@/lib/db/errors'
import { AppError } from '@/lib/errors'

/** How long requests are refused before one of them tries the table again. */
const PAUSE_MS = 1_000
/** Longer than a statement waits for a lock. */
const TRIAL_MS = 4_000

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __engineLockedEntities?: WeakMap<object, Map<string, number>>
}

/**
 * A request that uses the table of an entity runs unless a read has just found the table locked:
 * every request that waits for the lock holds a connection that other entities need. While the
 * table is locked, one request at a time tries it and the others are refused as `unavailable`. Only
 * reads count as evidence, since writes also wait for locks of single records.
 */
export const lockedEntities: Layer = {
  name: 'locked-entities',
  around: {
    respond(deps, { params, isReading: isRead }, next) {
      const entity = (params as { entityName?: string } | null)?.entityName
      if (entity === undefined) return next(deps)
      return besideLocks(deps.db, { entity, isRead }, () => next(deps))
    },
  },
}

async function besideLocks<T>(
  database: object,
  { entity, isRead }: { entity: string; isRead: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const locked = lockedOf(database)
  const until = locked.get(entity)
  if (until !== undefined) {
    if (performance.now() < until) throw refusal(entity)
    locked.set(entity, performance.now() + TRIAL_MS)
  }
  try {
    const result = await work()
    locked.delete(entity)
    return result
  } catch (error) {
    if (isLockTimeout(error) && isRead) locked.set(entity, performance.now() + PAUSE_MS)
    // Another failure says nothing of the lock, so the next request tries the table.
    else if (locked.has(entity)) locked.set(entity, performance.now())
    throw error
  }
}

function lockedOf(database: object): Map<string, number> {
  shared.__engineLockedEntities ??= new WeakMap()
  const known = shared.__engineLockedEntities.get(database)
  if (known) return known
  const locked = new Map<string, number>()
  shared.__engineLockedEntities.set(database, locked)
  return locked
}

const refusal = (entity: string) =>
  new AppError('unavailable', `${entity} is locked by another request; try again in a moment`, {
    retryAfter: 1,
  })
