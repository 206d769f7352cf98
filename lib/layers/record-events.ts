import type { Layer } from '@/lib/around'
import type { Deps } from '@/lib/deps'
import { recentCursor } from '@/lib/events/recent-cursor'
import { prepareEventDays, sweepEvents } from '@/lib/events/sweep-events'
import { findEntity, presentEntity } from '@/lib/registry/registry'
import { daysOf } from '@/lib/retention/kept'

/**
 * The log of changes has a partition for each day, and is bounded. What entities with events write there, triggers of their
 * tables write; without this layer it goes into one partition that is never emptied. Responses with records of such an entity say
 * from where to follow their changes.
 */
export const recordEvents: Layer = {
  name: 'record-events',
  around: {
    respond(deps, { spec, params }, next) {
      if (!('id' in spec.doc) || !FOLLOWED.has(spec.doc.id) || deps.replicas) return next(deps)
      const { entityName } = params as { entityName: string }
      const known = presentEntity(deps, entityName)
      if (known && !known.definition.events) return next(deps)
      return respondWithCursor(deps, entityName, next)
    },
  },
  adds: {
    jobs: [
      { name: 'prepare days of events', intervalMs: 3_600_000, run: prepareEventDays },
      { name: 'sweep events', intervalMs: 600_000, run: sweepEvents },
    ],
    retention: [
      {
        name: 'events',
        title: 'Changes of records',
        tables: ['record_events'],
        at: 'at',
        settings: ['EVENTS_DAYS', 'EVENTS_MAX_BYTES'],
        rule: ({ EVENTS_DAYS, EVENTS_MAX_BYTES }) =>
          `${daysOf(EVENTS_DAYS)}, at most ${Math.round(EVENTS_MAX_BYTES / 2 ** 20).toLocaleString('en')} MiB`,
      },
    ],
  },
}

const CURSOR_HEADER = 'X-Engine-Changes-Cursor'

/** Operations that return many records. */
const FOLLOWED = new Set(['listRecords', 'searchRecords', 'exportRecords'])

/**
 * Says from where to follow what `next` reads. Not for an entity without events, nor where there are replicas, which may show less than
 * the primary had by then. Throws where the database does not say it: records without their cursor would be followed from too late.
 */
async function respondWithCursor(
  deps: Deps,
  entityName: string,
  next: (deps: Deps) => Promise<Response>,
): Promise<Response> {
  const entity = await findEntity(deps, entityName).catch(() => null)
  const cursor = entity?.definition.events ? await recentCursor(deps.db) : null
  const response = await next(deps)
  if (cursor !== null) response.headers.set(CURSOR_HEADER, cursor)
  return response
}
