import { type Actor, can } from '@/lib/auth/rights'
import { plugins } from '@/lib/db/schema'
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
  const names = await pluginNames(deps)
  const summaries = entities.map((entity) => ({
    ...summaryOf(entity),
    pluginName: names.get(entity.pluginId ?? '') ?? null,
  }))
  if (!counts) return summaries
  const records = await countEntities(deps.db, entities)
  return summaries.map((summary) => ({ ...summary, records: records.get(summary.name) }))
}

async function pluginNames({ db }: Deps): Promise<Map<string, string>> {
  const found = await db.select({ id: plugins.id, name: plugins.name }).from(plugins)
  return new Map(found.map(({ id, name }) => [id, name]))
}

function summaryOf({
  name,
  pluginId,
  definition,
  schema,
  properties,
  open,
  table,
}: Entity): Omit<EntitySummary, 'pluginName' | 'records'> {
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
    history: definition.history ?? false,
    ...(distribution === undefined ? {} : { distribution }),
  }
}
