import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import type { Deps } from '@/lib/deps'
import { countEntities } from './count-entities'
import { listEntities } from './registry'
import type { EntitySummary } from './summary-contract'

/** The installed entities that `actor` may read, by name; with `counts`, the number of records of each. */
export async function summariseEntities(
  deps: Deps,
  actor: Actor,
  { counts }: { counts: boolean },
): Promise<EntitySummary[]> {
  const all = await listEntities(deps)
  const entities = all.filter(({ name }) => can(actor, { entity: name, action: 'read' }))
  if (!counts) return entities.map(summaryOf)
  const records = await countEntities(deps.db, entities)
  return entities.map((entity) => ({ ...summaryOf(entity), records: records.get(entity.name) }))
}

function summaryOf({
  name,
  pluginId,
  definition,
  schema,
  properties,
  open,
  table,
}: Entity): EntitySummary {
  const { keys, insertDuplicate, updateStrategy, permissions, auditable, distribution } = definition
  return {
    name,
    label: schema?.label ?? null,
    description: definition.description ?? schema?.description ?? null,
    pluginId,
    engineSchema: schema?.name ?? definition.engineSchema,
    open,
    keys,
    fields: properties.map(({ name, type }) => ({ name, type })),
    table,
    indexes: entityIndexes({ definition, schema }),
    insertDuplicate,
    updateStrategy,
    permissions,
    auditable,
    ...(distribution === undefined ? {} : { distribution }),
  }
}
