import { asc, eq } from 'drizzle-orm'
import { plugins, type roles } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { DEFINITION_TABLES } from '@/lib/registry/definition-tables'
import { writtenAs } from './local/local-definitions'
import type { DefinitionsQuery, PluginDefinition } from './model-contract'

const MOST = 1_000

/** Types, roles or policies as files of plugins have them, by name; the first 1,000. */
export async function listDefinitions(
  { db }: Pick<Deps, 'db'>,
  { kind, name }: DefinitionsQuery,
): Promise<PluginDefinition[]> {
  const table = DEFINITION_TABLES[kind] as typeof roles
  const found = await db
    .select({
      ...{ name: table.name, plugin: table.pluginId, definition: table.definition },
      lastHistoryId: plugins.lastHistoryId,
    })
    .from(table)
    .leftJoin(plugins, eq(plugins.id, table.pluginId))
    .where(name === undefined ? undefined : eq(table.name, name))
    .orderBy(asc(table.name))
    .limit(MOST)
  return found.map((row) => ({ ...row, kind, definition: writtenAs(kind, row.definition) }))
}
