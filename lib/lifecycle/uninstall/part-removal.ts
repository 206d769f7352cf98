import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { mergeEntity, type RegistryRow, schemaNameOf } from '@/lib/registry/registry-rows'
import { suggestion } from '@/lib/values/nearest'
import { loadRemoval, type Removal } from './removal'

/** Definitions that are to be others by the time of the removal. */
export type Planned = readonly (DefinitionName & { definition: object })[]

export type PartRemoval = {
  plugin: Removal['plugins'][number]
  removal: Removal
  /** Nothing of the plugin is left, so that it goes as well. */
  isWhole: boolean
}

/**
 * Some definitions of a plugin; entities with the schemas that no other entity uses. Throws `not_found` for a plugin
 * that is not installed, and `invalid_input` for definitions that it does not have.
 */
export async function loadPart(
  db: Db,
  pluginId: string,
  names: readonly DefinitionName[],
  planned: Planned = [],
): Promise<PartRemoval> {
  const all = await loadRemoval(db, [pluginId])
  const [plugin] = all.plugins
  if (!plugin) throw new AppError('not_found', `The plugin "${pluginId}" is not installed`)
  requireOwn(pluginId, all, names)
  const isNamed = (kind: DefinitionName['kind']) => (one: { name: string }) =>
    names.some((other) => other.kind === kind && other.name === one.name)
  const going = all.entities.filter(({ row }) => isNamed('entity')(row))
  const staying = all.entities
    .filter((one) => !going.includes(one))
    .map((one) => entityOf(one, planned))
  const others = [...all.others, ...staying]
  const used = new Set(others.map(({ definition }) => schemaNameOf(definition)))
  const own = new Set(going.map(({ row }) => schemaNameOf(row.definition)))
  const removal: Removal = {
    ...{ plugins: [], webhooks: [], entities: going, others },
    schemas: all.schemas.filter(
      (one) => isNamed('schema')(one) || (own.has(one.name) && !used.has(one.name)),
    ),
    types: all.types.filter(isNamed('type')),
    roles: all.roles.filter(isNamed('role')),
    policies: all.policies.filter(isNamed('policy')),
  }
  const isWhole = KINDS.every((kind) => removal[kind].length === all[kind].length)
  return { plugin, removal: isWhole ? all : removal, isWhole }
}

const KINDS = ['entities', 'schemas', 'types', 'roles', 'policies', 'webhooks'] as const

/** An entity of the plugin, as it is to be. */
function entityOf({ row, schema }: RegistryRow, planned: Planned) {
  const definition = (plannedOf(planned, 'entity', row.name) ?? row.definition) as EntityDefinition
  const shape = schema && (plannedOf(planned, 'schema', schema.name) ?? schema)
  return mergeEntity({ ...row, definition }, shape as SchemaDefinition | null)
}

export const plannedOf = (planned: Planned, kind: DefinitionName['kind'], name: string) =>
  planned.find((one) => one.kind === kind && one.name === name)?.definition

/** What the removal takes away, by kind and name. */
export const namesIn = ({ entities, ...others }: Removal): DefinitionName[] => [
  ...entities.map(({ row }) => ({ kind: 'entity' as const, name: row.name })),
  ...others.schemas.map(({ name }) => ({ kind: 'schema' as const, name })),
  ...others.types.map(({ name }) => ({ kind: 'type' as const, name })),
  ...others.roles.map(({ name }) => ({ kind: 'role' as const, name })),
  ...others.policies.map(({ name }) => ({ kind: 'policy' as const, name })),
  ...others.webhooks.map(({ name }) => ({ kind: 'webhook' as const, name })),
]

function requireOwn(pluginId: string, all: Removal, names: readonly DefinitionName[]): void {
  const own = namesIn(all)
  const validations = names.flatMap(({ kind, name }, at): Validation[] => {
    const known = own.filter((one) => one.kind === kind).map((one) => one.name)
    if (known.includes(name)) return []
    const error = `The plugin "${pluginId}" has no ${kind} "${name}"${suggestion(name, known)}`
    return [{ field: `removed.${at}`, error }]
  })
  if (validations.length > 0)
    throw new AppError('invalid_input', validations.map(({ error }) => error).join('; '), {
      validations,
    })
}
