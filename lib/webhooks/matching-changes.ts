import type { Actor } from '@/lib/auth/rights'
import type { WebhookRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { cursorOf } from '@/lib/events/position'
import type { LoggedEvent } from '@/lib/events/read-log'
import { shownChanges } from '@/lib/events/shown-changes'
import { viewRule } from '@/lib/events/view-rule'
import { mayRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

type Source = Pick<Deps, 'db' | 'bus' | 'log'>

type Matching = Pick<WebhookRow, 'actions' | 'where' | 'fields'> & {
  entity: string
  /** Of the log. */
  log: string
}

/**
 * Of some entries of the log what a webhook sends, as `actor` may see them now, in the form of the feed; with the entry
 * of each. None of an entity that `actor` may not read. Throws `invalid_input` where the conditions no longer fit the entity.
 */
export async function matchingChanges(
  deps: Source,
  actor: Actor,
  { entity: name, log, actions, where, fields }: Matching,
  events: readonly LoggedEvent[],
): Promise<{ event: LoggedEvent; change: JsonObject }[]> {
  if (events.length === 0) return []
  const { entity, entities } = await findAmongAll(deps, name)
  if (!mayRead(actor, entity)) return []
  const conditions = where && { conditions: where, conditionsName: 'where' as const }
  const rule = viewRule(actor, entity, entities, conditions)
  const found = await shownChanges(deps.db, [{ entity, rule }], log, events)
  const byCursor = new Map(found.map((change) => [change.cursor, change]))
  return events.flatMap((event) => {
    const cursor = cursorOf({ log, xid: BigInt(event.xid), id: BigInt(event.id) })
    const change = byCursor.get(cursor)
    if (!change || !actions.includes(String(change.action))) return []
    const narrowed = fields ? narrow(change, new Set(fields)) : change
    return narrowed ? [{ event, change: narrowed }] : []
  })
}

/** Of a change what concerns `names`; null of an update that concerns none. */
function narrow(change: JsonObject, names: ReadonlySet<string>): JsonObject | null {
  const fields = (change.fields as string[]).filter((name) => names.has(name))
  if (change.action === 'updated' && fields.length === 0) return null
  const pick = (state: Json | undefined): Json =>
    isObject(state)
      ? Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name)))
      : null
  return { ...change, fields, before: pick(change.before), after: pick(change.after) }
}
