import { asc, eq, inArray, or } from 'drizzle-orm'
import {
  type DefinitionName,
  entityTypes,
  plugins,
  policies,
  roles,
  schemas,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { SchemaDefinition, TypeDefinition } from '@/lib/definitions/definition'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import { AppError } from '@/lib/errors'
import { loadEntities } from '@/lib/registry/registry'
import type { JsonObject } from '@/lib/values/json'
import type { ExportedEntity } from './record-lines'

/** What an archive is made of. */
export type Selection = {
  /** engineplugin.json. */
  manifest: JsonObject
  types: TypeDefinition[]
  schemas: SchemaDefinition[]
  entities: ExportedEntity[]
  roles: RoleDefinition[]
  policies: PolicyDefinition[]
}

/**
 * An installed plugin as it is now: what it owns, and what it defines that another one owns. Throws `not_found`, and
 * `conflict` for a plugin that would lack what it defines.
 */
export async function selectPlugin(db: Db, id: string): Promise<Selection> {
  const [plugin] = await db.select().from(plugins).where(eq(plugins.id, id))
  if (!plugin) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  const defines = plugin.defines ?? []
  const namesOf = (kind: DefinitionName['kind']) =>
    new Set(defines.filter((one) => one.kind === kind).map(({ name }) => name))
  const entityNames = namesOf('entity')
  const all = await loadEntities(db)
  const selection = {
    manifest: plugin.manifest,
    types: await definitionsOf(db, entityTypes, id, namesOf('type')),
    schemas: await definitionsOf(db, schemas, id, namesOf('schema')),
    entities: all
      .filter(({ pluginId, name }) => pluginId === id || entityNames.has(name))
      .map((entity) => ({ entity, where: [], joins: [] })),
    roles: await definitionsOf(db, roles, id, namesOf('role')),
    policies: await definitionsOf(db, policies, id, namesOf('policy')),
  }
  requireDefined(id, selection, defines)
  return selection
}

type Table = typeof entityTypes | typeof schemas | typeof roles | typeof policies

async function definitionsOf<T extends Table>(
  db: Db,
  table: T,
  pluginId: string,
  names: ReadonlySet<string>,
): Promise<T['$inferSelect']['definition'][]> {
  const found = await db
    .select({ definition: table.definition })
    .from(table as typeof schemas)
    .where(or(eq(table.pluginId, pluginId), inArray(table.name, [...names])))
    .orderBy(asc(table.name))
  return found.map(({ definition }) => definition)
}

function requireDefined(
  id: string,
  selection: Selection,
  defines: readonly DefinitionName[],
): void {
  const found = {
    type: selection.types,
    schema: selection.schemas,
    entity: selection.entities.map(({ entity }) => entity),
    role: selection.roles,
    policy: selection.policies,
  }
  const missing = defines.filter(({ kind, name }) => !found[kind].some((one) => one.name === name))
  const names = missing.map(({ kind, name }) => `the ${kind} "${name}"`).join(', ')
  const isEmpty = Object.values(found).every((all) => all.length === 0)
  if (names === '' && !isEmpty) return
  const reason =
    names === ''
      ? `defines nothing of what is installed; install it again, or export the entities it gave records to (POST /api/plugins/export)`
      : `defines what is no longer installed: ${names}; install it again before it is exported`
  throw new AppError('conflict', `The plugin "${id}" ${reason}`)
}
