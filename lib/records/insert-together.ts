import { GroupedWork } from '@/lib/async/grouped-work'
import { auditJson } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { databaseError, isUnavailable } from '@/lib/db/errors'
import { rows } from '@/lib/db/rows'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { type InsertShape, insertTogetherStatement } from './insert-statement'

type Member = { json: string; requestId: string; deadline: number }
/** `alone`: nothing of the record was written, and it must be inserted by itself. */
type Outcome = { record: string } | { alone: true }
type Groups = Map<string, GroupedWork<Member, Outcome>>

const LIMITS = { maxItems: 64, patienceMs: 20 }
/** Longer records are inserted alone, so that a group stays short. */
const MAX_CHARS = 16_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineInserts?: WeakMap<Deps, Groups> }
shared.__engineInserts ??= new WeakMap()
const groups = shared.__engineInserts

export type Insert = {
  entity: Entity
  shape: InsertShape
  /** The record as a JSON object. */
  json: string
  actor: Actor
  requestId: string
}

/**
 * Inserts a record by one statement together with those of other requests that create the same kind of record
 * for the same actor at the same time. Returns the stored record as JSON text; null when nothing was written and it must be
 * inserted alone: nothing else was waiting, or one of the group was at fault. Throws when it is not known
 * whether it was written.
 */
export async function insertTogether(deps: Deps, insert: Insert): Promise<string | null> {
  const { entity, shape, json, actor, requestId } = insert
  if (json.length > MAX_CHARS || entity.version === undefined) return null
  const all: Groups = groups.get(deps) ?? new Map()
  groups.set(deps, all)
  const key = JSON.stringify([entity.name, entity.version, shape, actor.type, actor.id])
  const group = all.get(key) ?? new GroupedWork((members) => write(deps, insert, members), LIMITS)
  all.set(key, group)
  const { deadline, spent } = currentBudget()
  const startedAt = performance.now()
  try {
    const outcome = await group.add({ json, requestId, deadline })
    if ('alone' in outcome) return null
    if (spent) spent.dbMs += performance.now() - startedAt
    return outcome.record
  } finally {
    if (group.isIdle) all.delete(key)
  }
}

async function write(deps: Deps, insert: Insert, members: Member[]): Promise<Outcome[]> {
  const alone = () => members.map((): Outcome => ({ alone: true }))
  if (members.length < 2) return alone()
  const { entity, shape, actor } = insert
  const statement = insertTogetherStatement(entity, shape).with({
    rows: `[${members.map(({ json }) => json).join(',')}]`,
    audit: auditJson(actor, {
      action: 'records.create',
      objectType: entity.name,
      details: { created: 1, updated: 0, unchanged: 0, failed: 0 },
    }),
    requests: JSON.stringify(members.map(({ requestId }) => requestId)),
    at: new Date().toISOString(),
    by: actor.name,
  })
  const ms = Math.min(...members.map(({ deadline }) => deadline)) - performance.now()
  try {
    // Several requests wait for it, so the client of one must not end it.
    const { request } = currentBudget()
    const limits = ms === Infinity ? { request } : { request, ms: Math.max(0, ms) }
    const found = await withOwnBudget(limits, () => rows<{ data: string }>(deps.db, statement))
    if (found.length !== members.length) return alone() // the definition has changed
    return found.map(({ data }) => ({ record: data }))
  } catch (error) {
    // The database refused the statement, so nothing of it was written.
    if (databaseError(error) && !isUnavailable(error)) return alone()
    throw error
  }
}
