import { isNotNull } from 'drizzle-orm'
import type { schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { WRITTEN } from '@/lib/lifecycle/export/definition-files'
import {
  DEFINITION_KINDS,
  DEFINITION_TABLES,
  type DefinitionKind,
} from '@/lib/registry/definition-tables'
import type { JsonObject } from '@/lib/values/json'

/** A definition of a plugin that was changed here, as files have it; `base`: as its author gave it, null: it was made here. */
export type LocalDefinition = {
  pluginId: string
  kind: DefinitionKind
  name: string
  base: JsonObject | null
  ours: JsonObject
  /** The same as the registry has them. */
  stored: { base: object | null; ours: object }
}

/** All of them, by plugin, kind and name. */
export async function localDefinitions(db: Db): Promise<LocalDefinition[]> {
  const found: LocalDefinition[] = []
  for (const kind of DEFINITION_KINDS) {
    const table = DEFINITION_TABLES[kind] as typeof schemas
    const { pluginId, name, definition, authored } = table
    const changed = await db
      .select({ pluginId, name, definition, authored })
      .from(table)
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
        stored: { base, ours: row.definition },
        base: base && writtenAs(kind, base),
      })
    }
  }
  return found
}

/** A stored definition as a file has it. */
export const writtenAs = (kind: DefinitionKind, definition: object): JsonObject =>
  (WRITTEN[kind] as (definition: object) => JsonObject)(definition)
