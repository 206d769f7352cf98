import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { compareStates, type State, stateOf } from '@/lib/history/state'
import { judgeStates } from '@/lib/search/judge-states'
import type { Rule } from '@/lib/search/rule'
import type { Json, JsonObject } from '@/lib/values/json'
import { cursorOf } from './position'
import type { LoggedEvent } from './read-log'

/** What a caller sees of the records of an entity; `rule` null: all of all. */
export type View = { entity: Entity; log: string; rule: Rule | null }

/** The changes of which a caller sees something, as `recordChange` describes them. */
export async function shownChanges(
  db: Db,
  view: View,
  events: readonly LoggedEvent[],
): Promise<JsonObject[]> {
  const { entity, rule } = view
  const texts = [...new Set(events.flatMap(({ before, after }) => [before, after]))]
  const rows = texts.filter((text) => text !== null)
  const judged = await judgeStates(db, entity, rule, rows)
  const states = new Map<string | null, State>()
  for (const [at, row] of rows.entries()) {
    const shown = judged[at]
    if (shown?.isVisible) states.set(row, stateOf(entity, row, shown))
  }
  return events.flatMap((event): JsonObject[] => {
    if (event.kind === 'many') return [change(view, event, 'many', [null, null])]
    const before = states.get(event.before) ?? null
    const after = states.get(event.after) ?? null
    const action = actionOf(event, before, after)
    return action === null ? [] : [change(view, event, action, [before, after])]
  })
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
  { log, rule }: View,
  event: LoggedEvent,
  action: Action,
  [before, after]: [State | null, State | null],
): JsonObject {
  const { xid, id, key, at, counts, by, install, requestId } = event
  const { insert: created = 0, update: updated = 0, delete: deleted = 0 } = counts ?? {}
  return {
    cursor: cursorOf({ log, xid: BigInt(xid), id: BigInt(id) }),
    action,
    key: action === 'many' ? null : key,
    at,
    fields: compareStates(before, after).map(({ field }) => field),
    before: recordOf(before),
    after: recordOf(after),
    counts: counts && rule === null ? { created, updated, deleted } : null,
    by,
    cause: { action: event.action, requestId, install },
  }
}

const recordOf = (state: State | null): Json => state && Object.fromEntries(state.fields)
