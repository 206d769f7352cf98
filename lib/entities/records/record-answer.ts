import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/entities/definition'
import { mayRead } from '@/lib/entities/may-read'
import type { JsonObject } from '@/lib/json'

/** A list of records as JSON text; who may not read them gets their ids alone. */
export function answerFor(actor: Actor, entity: Entity, data: string): string {
  if (mayRead(actor, entity)) return data
  const records = JSON.parse(data) as JsonObject[]
  return JSON.stringify(records.map(({ persistenceId }) => ({ persistenceId })))
}
