import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import { conditionsOfFilter } from '@/lib/search/read-input'
import type { JsonObject } from '@/lib/values/json'
import type { ChangesQuery } from './contract'
import { eventClock } from './event-clock'
import { cursorOf, type Position, positionOf } from './position'
import { expiredCursor, readLog } from './read-log'
import { shownChanges, type View } from './shown-changes'
import { viewRule } from './view-rule'

export type Following = ChangesQuery & {
  entityNames: readonly string[]
  /** Who asks, with the rights of this moment; throws once they may no longer read one of the entities. */
  caller: () => Promise<Actor>
}

export type Changes = { changes: JsonObject[]; cursor: string; more: boolean }

/**
 * The changes of the records of entities after `since`, as the caller may see them now, in the order of their transactions;
 * waits up to `wait` seconds for the first. Throws as `caller` does, `forbidden`, `conflict` where an entity keeps no
 * events, `invalid_input`, and `expired` for a cursor that is too old.
 */
export async function readChanges(
  deps: Deps,
  { since, wait, ...following }: Following,
  signal: AbortSignal,
): Promise<Changes> {
  const end = performance.now() + wait * 1000
  let position = since === undefined ? null : positionOf(since)
  const clock = eventClock(primaryOf(deps).db)
  for (;;) {
    const { turn } = clock
    const part = await readPart(deps, following, position)
    const leftMs = end - performance.now()
    const isDone = part.changes.length > 0 || position === null || leftMs <= 0
    if (isDone || signal.aborted)
      return { changes: part.changes, cursor: cursorOf(part.next), more: part.isCut }
    position = part.next
    if (!part.isCut) await clock.next(turn, Math.min(leftMs, RECHECK_MS), signal)
  }
}

/**
 * The same as they come after `since`, until `signal` aborts, with the place after each; where there are none, the place alone at least every
 * `tellMs`, or it would be too old one day. It throws as `caller` does when that says so.
 */
export async function* watchChanges(
  deps: Deps,
  { since, ...following }: Omit<Following, 'wait'> & { since: string },
  signal: AbortSignal,
  tellMs = TELL_MS,
): AsyncGenerator<Changes, void, void> {
  let position = positionOf(since)
  let toldAt = performance.now()
  const isLate = () => performance.now() - toldAt >= tellMs
  const clock = eventClock(primaryOf(deps).db)
  for (;;) {
    const { turn } = clock
    const { changes, next, isCut } = await readPart(deps, following, position, STREAM_BYTES)
    position = next
    if (changes.length > 0 || isLate()) {
      yield { changes, cursor: cursorOf(next), more: isCut }
      toldAt = performance.now()
    }
    if (!isCut)
      while (!(await clock.next(turn, RECHECK_MS, signal)) && !signal.aborted && !isLate())
        await requireStill(primaryOf(deps), following)
    if (signal.aborted) return
  }
}

/** A stream of somebody who has lost the right to read lasts no longer. */
export const RECHECK_MS = 4_000
const TELL_MS = 10 * 60_000
/** What a stream holds of changes that its client has not read. */
const STREAM_BYTES = 256 * 1024

/** What is committed there may not be on a replica. */
const primaryOf = (deps: Deps): Deps => deps.primary ?? deps

const GAPS = {
  begin: 'After this cursor changes were not kept for a time',
  definition: 'After this cursor the definition changed, and records look different',
}

type Part = { changes: JsonObject[]; next: Position; isCut: boolean }

async function readPart(
  anywhere: Deps,
  following: Omit<Following, 'since' | 'wait'>,
  since: Position | null,
  maxBytes?: number,
): Promise<Part> {
  const deps = primaryOf(anywhere)
  const views = await viewsOf(deps, following)
  const { limit, many } = following
  const tables = views.map(({ entity }) => entity.table)
  const records = many === 'records'
  const part = await readLog(deps.db, { tables, since, limit, records, maxBytes })
  const { events, next, isCut } = part
  if (part.gap) throw expiredCursor(GAPS[part.gap])
  const changes = await shownChanges(deps.db, views, next.log, events)
  return { changes, next, isCut }
}

/** Throws as `caller` does, and as `viewOf`. */
async function viewsOf(
  deps: Deps,
  { entityNames, caller, filter }: Pick<Following, 'entityNames' | 'caller' | 'filter'>,
): Promise<View[]> {
  const actor = await caller()
  const views: View[] = []
  for (const name of entityNames) views.push(await viewOf(deps, name, actor, filter))
  return views
}

/** Throws as `viewsOf`, without the work of what is seen. */
async function requireStill(
  deps: Deps,
  { entityNames, caller }: Pick<Following, 'entityNames' | 'caller'>,
): Promise<void> {
  const actor = await caller()
  for (const name of entityNames) await followedOf(deps, name, actor)
}

/** What the caller sees, within the conditions of the request. */
async function viewOf(deps: Deps, name: string, actor: Actor, filter: string): Promise<View> {
  const { entity, entities } = await followedOf(deps, name, actor)
  return { entity, rule: viewRule(actor, entity, entities, conditionsOfFilter(filter)) }
}

async function followedOf(deps: Deps, name: string, actor: Actor) {
  const found = await findAmongAll(deps, name)
  requireRead(actor, found.entity, 'A feed of changes')
  if (!found.entity.definition.events)
    throw new AppError(
      'conflict',
      `The changes of "${name}" are not kept: set "events": true in its definition`,
    )
  return found
}
