import { Webhook } from 'standardwebhooks'
import { type JsonObject, stringifyExactly } from '@/lib/values/json'

/** Larger bodies are sent without the states of the record. */
const MAX_BODY_BYTES = 1024 * 1024

export type Message = {
  id: string
  format: 'engine' | 'cloudevents'
  /** Where the engine is reached. */
  origin: string
  /** Null: a test. */
  entity: string | null
  /** As the feed has it, or that of a test. */
  change: JsonObject
}

export type Outgoing = { headers: Record<string, string>; body: string }

/** The body that a receiver gets. */
export function bodyOf(message: Message): string {
  const body = stringifyExactly(contentOf(message))
  if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return body
  const change = { ...message.change, before: null, after: null }
  return stringifyExactly(contentOf({ ...message, change }))
}

function contentOf({ id, format, origin, entity, change }: Message): JsonObject {
  const { action = null, at: time = null, cursor: _, ...rest } = change
  const data = { entity, action, ...rest }
  const type =
    action === 'test' ? 'webhook.test' : action === 'many' ? 'records.many' : `record.${action}`
  if (format === 'engine') return { type, timestamp: time, data }
  return {
    ...{ specversion: '1.0', id, type, time, source: sourceOf(origin, entity) },
    ...(typeof rest.key === 'string' ? { subject: rest.key } : {}),
    ...{ datacontenttype: 'application/json', data },
  }
}

const sourceOf = (origin: string, entity: string | null): string =>
  entity === null ? origin : `${origin}/api/entities/${entity}`

/** The body with the headers of Standard Webhooks, signed by each of `secrets` at `at`. */
export function sign(
  { id, format }: Pick<Message, 'id' | 'format'>,
  body: string,
  secrets: readonly string[],
  at: Date,
): Outgoing {
  const kind = format === 'engine' ? 'json' : 'cloudevents+json'
  return {
    body,
    headers: {
      'Content-Type': `application/${kind}; charset=utf-8`,
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'Engine',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
    },
  }
}
