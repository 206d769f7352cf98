import { asc, eq } from 'drizzle-orm'
import { entityTypes, plugins, policies, roles, schemas } from '@/lib/db/schema'
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

/** An installed plugin as it is now. Throws `not_found`. */
export async function selectPlugin(db: Db, id: string): Promise<Selection> {
  const [plugin] = await db.select().from(plugins).where(eq(plugins.id, id))
  if (!plugin) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  const all = await loadEntities(db)
  return {
    manifest: plugin.manifest,
    types: await definitionsOf(db, entityTypes, id),
    schemas: await definitionsOf(db, schemas, id),
    entities: all
      .filter(({ pluginId }) => pluginId === id)
      .map((entity) => ({ entity, where: [], joins: [] })),
    roles: await definitionsOf(db, roles, id),
    policies: await definitionsOf(db, policies, id),
  }
}

type Table = typeof entityTypes | typeof schemas | typeof roles | typeof policies

async function definitionsOf<T extends Table>(
  db: Db,
  table: T,
  pluginId: string,
): Promise<T['$inferSelect']['definition'][]> {
  const found = await db
    .select({ definition: table.definition })
    .from(table as typeof schemas)
    .where(eq(table.pluginId, pluginId))
    .orderBy(asc(table.name))
  return found.map(({ definition }) => definition)
}
