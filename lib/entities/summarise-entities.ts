import { type Actor, can } from '@/lib/auth/rights'
import type { Deps } from '@/lib/runtime'
import type { Entity, EntityDefinition } from './definition'
import { listEntities } from './registry'

export type EntitySummary = {
  name: string
  label: string | null
  description: string | null
  pluginId: string | null
  engineSchema: string | null
  /** Undeclared fields are kept. */
  open: boolean
  keys: EntityDefinition['keys']
  fields: { name: string; type: string }[]
} & Pick<EntityDefinition, 'insertDuplicate' | 'updateStrategy' | 'permissions' | 'auditable'>

/** The installed entities that `actor` may read, by name. */
export async function summariseEntities(deps: Deps, actor: Actor): Promise<EntitySummary[]> {
  const entities = await listEntities(deps)
  return entities.filter(({ name }) => can(actor, { entity: name, action: 'read' })).map(summaryOf)
}

function summaryOf({
  name,
  pluginId,
  definition,
  schema,
  properties,
  open,
}: Entity): EntitySummary {
  const { keys, insertDuplicate, updateStrategy, permissions, auditable } = definition
  return {
    name,
    label: schema?.label ?? null,
    description: definition.description ?? schema?.description ?? null,
    pluginId,
    engineSchema: schema?.name ?? definition.engineSchema,
    open,
    keys,
    fields: properties.map(({ name, type }) => ({ name, type })),
    insertDuplicate,
    updateStrategy,
    permissions,
    auditable,
  }
}
