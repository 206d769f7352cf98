import { type Actor, can } from '@/lib/auth/rights'
import { withBudget } from '@/lib/db/budget'
import { plugins } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { presentDisplay } from '@/lib/definitions/entity-faults'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import { linkedBy } from '@/lib/definitions/link'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { countEntities, type RecordCount } from '@/lib/registry/count-entities'
import { listEntities } from '@/lib/registry/registry'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { countRecords } from './count-records'
import { restrictedTarget } from './restricted-target'
import { visibleEntity } from './visible-entity'

/** How long the counts of records that rules select may take together, and one of them. */
const TOGETHER_MS = 1_500
const ONE_MS = 400

/**
 * The installed entities that `actor` may read, by name, with the fields that it may read; with `counts`, the number of
 * records of each that it may read, where counting them takes no time.
 */
export async function summariseEntities(
  deps: Deps,
  actor: Actor,
  { counts }: { counts: boolean },
): Promise<EntitySummary[]> {
  const all = await listEntities(deps)
  const entities = all.filter(({ name }) => can(actor, { entity: name, action: 'read' }))
  const names = await pluginNames(deps)
  const summaries = entities.map((entity) => ({
    ...summaryOf(visibleEntity(entity, actor, all)),
    pluginName: names.get(entity.pluginId ?? '') ?? null,
  }))
  if (!counts) return summaries
  const isWhole = (entity: Entity) => !restrictedTarget(entity, actor, all).rule
  const records = await countEntities(deps.db, entities.filter(isWhole))
  const end = performance.now() + TOGETHER_MS
  for (const { name } of entities.filter((entity) => !isWhole(entity))) {
    const count = performance.now() < end ? await countVisible(deps, name, actor) : null
    if (count) records.set(name, count)
  }
  return summaries.map((summary) => ({ ...summary, records: records.get(summary.name) }))
}

/** Null when it takes too long, or the definition closes the entity to reading. */
async function countVisible(deps: Deps, name: string, actor: Actor): Promise<RecordCount | null> {
  try {
    const input = { conditions: [], conditionsName: 'query' as const }
    const value = await withBudget({ ms: ONE_MS }, () => countRecords(deps, name, input, actor))
    return { value, isEstimate: false }
  } catch (error) {
    if (error instanceof AppError && ['unavailable', 'forbidden'].includes(error.code)) return null
    throw error
  }
}

async function pluginNames({ db }: Deps): Promise<Map<string, string>> {
  const found = await db.select({ id: plugins.id, name: plugins.name }).from(plugins)
  return new Map(found.map(({ id, name }) => [id, name]))
}

function summaryOf(entity: Entity): Omit<EntitySummary, 'pluginName' | 'records'> {
  const { name, pluginId, definition, schema, properties, open, table } = entity
  const display = presentDisplay(entity)
  const { keys, insertDuplicate, updateStrategy, permissions, auditable, distribution } = definition
  return {
    name,
    label: schema?.label ?? null,
    description: definition.description ?? schema?.description ?? null,
    pluginId,
    engineSchema: schema?.name ?? definition.engineSchema,
    open,
    keys,
    fields: properties.map(({ name, type, rules: { reference } }) => ({
      ...{ name, type },
      ...(reference && { reference: reference.entity }),
    })),
    table,
    indexes: entityIndexes({ definition, schema }),
    insertDuplicate,
    updateStrategy,
    permissions,
    auditable,
    history: definition.history ?? false,
    events: definition.events ?? false,
    link: linkedBy(entity) !== null,
    ...(display === undefined ? {} : { display }),
    ...(distribution === undefined ? {} : { distribution }),
  }
}
