import type { Actor } from '@/lib/auth/rights'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Entity } from '@/lib/definitions/definition'
import { mayRead } from '@/lib/registry/may-read'
import type { JsonObject } from '@/lib/values/json'

/** A list of records as JSON text; an actor without the right to read gets their ids alone. */
export function responseFor(actor: Actor, entity: Entity, data: string): string {
  if (mayRead(actor, entity)) return data
  const records = JSON.parse(data) as JsonObject[]
  return JSON.stringify(records.map(({ persistenceId }) => ({ persistenceId })))
}

/**
 * Counts of overwritten records for an actor without the right to read: whether a record changed would
 * reveal its stored values, so all of them count as `updated`.
 */
export const withoutUnchanged = (counts: RecordCounts): RecordCounts => ({
  ...counts,
  updated: counts.updated + counts.unchanged,
  unchanged: 0,
})

export const countsFor = (actor: Actor, entity: Entity, counts: RecordCounts): RecordCounts =>
  mayRead(actor, entity) ? counts : withoutUnchanged(counts)
