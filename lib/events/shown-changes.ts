import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { compareStates, type State, stateOf } from '@/lib/history/state'
import { judgeStates } from '@/lib/search/judge-states'
import type { Rule } from '@/lib/search/rule'
import type { Json, JsonObject } from '@/lib/values/json'
import { cursorOf } from './position'
import type { LoggedEvent } from './read-log'

/** What a caller sees of the records of an entity; `rule` null: all of all. */
export type View = { entity: Entity; rule: Rule | null }

/** A state with the declared fields that its reader may see. */
type Seen = State & { names: string[] }
type States = ReadonlyMap<string | null, Seen>

/** The changes of which a caller sees something, as `recordChange` describes them; `of` of an event is the place of its view. */
export async function shownChanges(
  db: Db,
  views: readonly View[],
  log: string,
  events: readonly LoggedEvent[],
): Promise<JsonObject[]> {
  const parts: { view: View; states: States }[] = []
  for (const [at, view] of views.entries()) {
    const own = events.filter(({ of }) => of === at)
    parts.push({ view, states: await visibleStates(db, view, own) })
  }
  return events.flatMap((event): JsonObject[] => {
    const part = parts[event.of]
    return part ? shownChange(part.view, part.states, log, event) : []
  })
}

/** Those that the caller sees, by their text in the log. */
async function visibleStates(
  db: Db,
  { entity, rule }: View,
  events: readonly LoggedEvent[],
): Promise<States> {
  const texts = [...new Set(events.flatMap(({ before, after }) => [before, after]))]
  const rows = texts.filter((text) => text !== null)
  const judged = await judgeStates(db, entity, rule, rows)
  const states = new Map<string | null, Seen>()
  for (const [at, row] of rows.entries()) {
    const shown = judged[at]
    if (!shown?.isVisible) continue
    const names = entity.properties.map(({ name }) => name).filter(shown.shows)
    states.set(row, { ...stateOf(entity, row, shown), names })
  }
  return states
}

function shownChange(view: View, states: States, log: string, event: LoggedEvent): JsonObject[] {
  if (event.kind === 'many') return [change(view, log, event, 'many', [null, null])]
  const before = states.get(event.before) ?? null
  const after = states.get(event.after) ?? null
  const action = actionOf(event, before, after)
  return action === null ? [] : [change(view, log, event, action, [before, after])]
}

type Action = 'created' | 'updated' | 'deleted' | 'entered' | 'left' | 'many'

/** Null where the caller sees nothing of it. */
function actionOf({ kind }: LoggedEvent, before: State | null, after: State | null): Action | null {
  if (kind === 'insert') return after && 'created'
  if (kind === 'delete') return before && 'deleted'
  if (!before || !after) return after ? 'entered' : before && 'left'
  return compareStates(before, after).length > 0 ? 'updated' : null
}

function change(
  { entity, rule }: View,
  log: string,
  event: LoggedEvent,
  action: Action,
  [before, after]: [Seen | null, Seen | null],
): JsonObject {
  const { xid, id, key, at, counts, actor, install, requestId } = event
  const { insert: created = 0, update: updated = 0, delete: deleted = 0 } = counts ?? {}
  return {
    cursor: cursorOf({ log, xid: BigInt(xid), id: BigInt(id) }),
    entity: entity.name,
    action,
    key: action === 'many' ? null : key,
    at,
    fields: compareStates(before, after).map(({ field }) => field),
    before: recordOf(before, key),
    after: recordOf(after, key),
    counts: counts && rule === null ? { created, updated, deleted } : null,
    actor,
    cause: { action: event.action, install },
    requestId,
  }
}

/** As searches return it: with null for fields without a value. */
const recordOf = (state: Seen | null, key: string): Json =>
  state && {
    ...Object.fromEntries(state.names.map((name) => [name, null])),
    ...Object.fromEntries(state.fields),
    persistenceId: key,
  }
