import { eq } from 'drizzle-orm'
import { entityTypes, plugins, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { type Types, typesByName } from '@/lib/definitions/resolve-type'
import type { Deps } from '@/lib/deps'
import { entityJson, schemaJson } from '@/lib/lifecycle/export/definition-files'
import { findPlugin } from '@/lib/lifecycle/export/selection'
import { findEntity } from '@/lib/registry/registry'
import type { WrittenDefinition } from './model-contract'

/** The definitions of an entity and of its schema, as files of plugins have them. Throws `not_found`. */
export async function writtenDefinitionOf(deps: Deps, name: string): Promise<WrittenDefinition> {
  const { definition, schema, pluginId } = await findEntity(deps, name)
  const { db } = deps
  const [owned] = schema
    ? await db
        .select({ id: schemas.pluginId, lastHistoryId: plugins.lastHistoryId })
        .from(schemas)
        .leftJoin(plugins, eq(plugins.id, schemas.pluginId))
        .where(eq(schemas.name, schema.name))
    : []
  const last = schema ? owned : pluginId ? await findPlugin(db, pluginId) : undefined
  return {
    plugin: pluginId,
    entity: entityJson(definition),
    schemaPlugin: owned?.id ?? null,
    lastHistoryId: last?.lastHistoryId ?? null,
    schema: schema && schemaJson(schema, await typesOf(db, owned?.id ?? '')),
  }
}

/** Those that the plugin defines. */
async function typesOf(db: Db, pluginId: string): Promise<Types> {
  const isOwn = eq(entityTypes.pluginId, pluginId)
  const found = await db.select().from(entityTypes).where(isOwn)
  return typesByName(found.map(({ definition }) => definition))
}
