import { isNotNull } from 'drizzle-orm'
import type { Definitions } from '@/lib/archives/plugin-file'
import { entities, entityTypes, policies, roles, schemas, webhooks } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { WRITTEN } from '@/lib/lifecycle/export/definition-files'
import type { JsonObject } from '@/lib/values/json'

/** A definition of a plugin that was changed here, as files have it; `base`: as its author gave it, null: it was made here. */
export type LocalDefinition = {
  pluginId: string
  kind: Definitions['kind']
  name: string
  base: JsonObject | null
  ours: JsonObject
}

const TABLES = {
  type: entityTypes,
  schema: schemas,
  entity: entities,
  role: roles,
  policy: policies,
  webhook: webhooks,
}

/** All of them, by plugin, kind and name. */
export async function localDefinitions(db: Db): Promise<LocalDefinition[]> {
  const found: LocalDefinition[] = []
  for (const kind of Object.keys(TABLES) as Definitions['kind'][]) {
    const { pluginId, name, definition, authored } = TABLES[kind] as typeof schemas
    const changed = await db
      .select({ pluginId, name, definition, authored })
      .from(TABLES[kind] as typeof schemas)
      .where(isNotNull(authored))
      .orderBy(pluginId, name)
    for (const row of changed) {
      if (row.pluginId === null || row.definition === null) continue
      const base = row.authored?.definition ?? null
      const ours = writtenAs(kind, row.definition)
      found.push({
        ...row,
        pluginId: row.pluginId,
        kind,
        ours,
        base: base && writtenAs(kind, base),
      })
    }
  }
  return found
}

/** A stored definition as a file has it. */
export const writtenAs = (kind: Definitions['kind'], definition: object): JsonObject =>
  (WRITTEN[kind] as (definition: object) => JsonObject)(definition)
