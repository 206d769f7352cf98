import { getTableName, sql } from 'drizzle-orm'
import { type Db, rows } from '@/lib/db/sql'
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
  const changed = DEFINITION_KINDS.map((kind, at) => {
    const table = sql`engine.${sql.identifier(getTableName(DEFINITION_TABLES[kind]))}`
    return sql`select ${at}::int as at, plugin_id, name, definition, authored from ${table} where authored is not null`
  })
  const all = sql.join(changed, sql` union all `)
  const found = await rows<Row>(
    db,
    sql`select at, plugin_id as "pluginId", name, definition, authored -> 'definition' as base from (${all}) as d
      where plugin_id is not null and definition is not null order by at, plugin_id, name`,
  )
  return found.map(({ at, definition, ...row }) => {
    const kind = DEFINITION_KINDS[at] as DefinitionKind
    const { base } = row
    const ours = writtenAs(kind, definition)
    const stored = { base, ours: definition }
    return { ...row, kind, ours, stored, base: base && writtenAs(kind, base) }
  })
}

type Row = Pick<LocalDefinition, 'pluginId' | 'name' | 'base'> & { at: number; definition: object }

/** A stored definition as a file has it. */
export const writtenAs = (kind: DefinitionKind, definition: object): JsonObject =>
  (WRITTEN[kind] as (definition: object) => JsonObject)(definition)
