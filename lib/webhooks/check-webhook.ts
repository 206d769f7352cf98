import type { Actor } from '@/lib/auth/rights'
import type { WebhookRow } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { requireRead } from '@/lib/registry/may-read'
import { readableTarget } from '@/lib/search/find-target'
import { resolveSearch } from '@/lib/search/resolve-search'

type Checked = Pick<WebhookRow, 'entities' | 'where' | 'fields'>

/** An entity of exactly this name, with all that are installed; throws `not_found`. */
export type FindEntity = (name: string) => Promise<{ entity: Entity; entities: readonly Entity[] }>

/**
 * Whether a webhook fits its entities, as `actor` sees them; returns their names as they are installed. Throws `invalid_input` that names the place,
 * and `forbidden` for an entity that `actor` may not read.
 */
export async function checkWebhook(
  find: FindEntity,
  { entities: named, where, fields }: Checked,
  actor: Actor,
): Promise<string[]> {
  const names = new Set<string>()
  for (const [at, name] of named.entries()) {
    const { entity, entities } = await find(name).catch((error: unknown) => {
      const isUnknown = error instanceof AppError && error.code === 'not_found'
      throw isUnknown ? invalid(`entities.${at}`, error.message) : error
    })
    requireRead(actor, entity, 'A webhook')
    if (!entity.definition.events)
      throw invalid(
        `entities.${at}`,
        `The changes of "${entity.name}" are not kept: set "events": true in its definition`,
      )
    resolveSearch(readableTarget(entity, actor, entities), {
      ...{ conditions: where ?? [], conditionsName: 'where', fields: fields ?? [], sort: [] },
      ...{ page: 0, size: 1, count: 'none' },
    })
    requireWhole(entity, fields ?? [])
    names.add(entity.name)
  }
  return [...names]
}

/** Of a record its fields are sent, neither parts of them nor fields of others. */
function requireWhole({ keys, properties, extraFields }: Entity, fields: readonly string[]): void {
  const whole = new Set([...keys, ...properties.map(({ name }) => name), ...extraFields])
  const at = fields.findIndex((name) => !whole.has(name))
  if (at < 0) return
  const error = `"${fields[at]}" is no field of the record itself: whole fields are sent`
  throw invalid(`fields.${at}`, error)
}

const invalid = (field: string, error: string) =>
  new AppError('invalid_input', `${field}: ${error}`, { validations: [{ field, error }] })
