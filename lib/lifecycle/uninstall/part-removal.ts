import type { Db } from '@/lib/db/sql'
import { AppError, type Validation } from '@/lib/errors'
import { mergeEntity, schemaNameOf } from '@/lib/registry/registry-rows'
import { suggestion } from '@/lib/values/nearest'
import { loadRemoval, type Removal } from './removal'

export type EntityRemoval = {
  plugin: Removal['plugins'][number]
  removal: Removal
  /** Nothing of the plugin is left, so that it goes as well. */
  isWhole: boolean
}

/**
 * Some entities of a plugin, with the schemas that no other entity uses. Throws `not_found` for a plugin that is not
 * installed, and `invalid_input` for entities that it does not have.
 */
export async function loadEntityRemoval(
  db: Db,
  pluginId: string,
  names: readonly string[],
): Promise<EntityRemoval> {
  const all = await loadRemoval(db, [pluginId])
  const [plugin] = all.plugins
  if (!plugin) throw new AppError('not_found', `The plugin "${pluginId}" is not installed`)
  requireOwn(pluginId, all, names)
  const going = all.entities.filter(({ row }) => names.includes(row.name))
  const staying = all.entities
    .filter((one) => !going.includes(one))
    .map(({ row, schema }) => mergeEntity(row, schema))
  const others = [...all.others, ...staying]
  const used = new Set(others.map(({ definition }) => schemaNameOf(definition)))
  const own = new Set(going.map(({ row }) => schemaNameOf(row.definition)))
  const schemas = all.schemas.filter(({ name }) => own.has(name) && !used.has(name))
  const { types, roles, policies, webhooks } = all
  const left = [staying, types, roles, policies, webhooks].flat().length
  const isWhole = left === 0 && schemas.length === all.schemas.length
  if (isWhole) return { plugin, removal: all, isWhole }
  const none = { plugins: [], types: [], roles: [], policies: [], webhooks: [] }
  return { plugin, removal: { ...none, entities: going, schemas, others }, isWhole }
}

function requireOwn(pluginId: string, { entities }: Removal, names: readonly string[]): void {
  const known = entities.map(({ row }) => row.name)
  const validations = names.flatMap((name, at): Validation[] => {
    if (known.includes(name)) return []
    const error = `The plugin "${pluginId}" has no entity "${name}"${suggestion(name, known)}`
    return [{ field: `removed.${at}`, error }]
  })
  if (validations.length > 0)
    throw new AppError('invalid_input', validations.map(({ error }) => error).join('; '), {
      validations,
    })
}
