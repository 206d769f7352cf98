import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type SchemaDefinition,
} from '@/lib/definitions/definition'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesOfSchema } from '@/lib/registry/registry-rows'
import { jsonFits, jsonToColumn } from '@/lib/tables/cast-sql'
import { sqlTypeOf } from '@/lib/tables/column-type'
import { keySql, valueJson } from './record-sql'

/** In the notes of a record: undeclared fields, as they were before their names were declared. */
export const CONVERTED = '$converted'

type Install = { installId: number | null; pluginId: string }

/**
 * Notes the undeclared values that a schema is about to declare and that would not come back from their
 * column as they are, such as the text `"3"` that becomes a number.
 */
export async function noteConverted(
  tx: Db,
  install: Install,
  { name, properties }: SchemaDefinition,
): Promise<void> {
  if (install.installId === null) return
  for (const { row, schema } of await entitiesOfSchema(tx, name)) {
    const entity = mergeEntity(row, schema)
    const had = new Set(entity.properties.map((property) => property.name))
    for (const property of entity.open ? properties : [])
      if (!had.has(property.name) && property.rules.computed === undefined)
        await tx.execute(noteField(entity, property, install))
  }
}

function noteField(entity: Entity, property: Property, { installId, pluginId }: Install): SQL {
  const name = sql`${property.name}::text`
  const value = sql`(t.${sql.identifier(EXTRA_COLUMN)} -> ${name})`
  const note = sql`jsonb_build_object(${CONVERTED}::text, jsonb_build_object(${name}, ${value}))`
  return sql`insert into ${pluginChanges} (install_id, entity, key, change, before, remembered)
    select ${installId}::bigint, ${entity.name}::text, ${keySql(entity, 't')}, 'unchanged', ${note}, to_jsonb(p.*)
    from ${tableSql(entity.table)} as t left join ${pluginRecords} as p
      on p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.key = ${keySql(entity, 't')}
    where t.${sql.identifier(EXTRA_COLUMN)} ? ${name} and not ${comesBack(property, value)}
    on conflict (install_id, entity, key) do update set before = coalesce(plugin_changes.before, '{}')
      || jsonb_build_object(${CONVERTED}::text, coalesce(plugin_changes.before -> ${CONVERTED}::text, '{}')
        || (excluded.before -> ${CONVERTED}::text))`
}

/** Defaults do not come back, as they are what records without a value get. */
function comesBack(property: Property, value: SQL): SQL {
  const type = sqlTypeOf(property)
  const column = jsonToColumn(value, type)
  const { default: preset } = property.rules
  const isDefault =
    preset === undefined || preset === null
      ? sql`false`
      : sql`${column} = ${jsonToColumn(sql`${JSON.stringify(preset)}::text::jsonb`, type)}`
  return sql`case when ${value} <> 'null' and ${jsonFits(value, property)}
    then ${valueJson(property, column)} = ${value} and not ${isDefault} else false end`
}

/** What was noted of a field of the record `t`; null without a note. */
export const convertedFrom = (entity: Entity, installId: number, field: string): SQL =>
  sql`(select c.before -> ${CONVERTED}::text -> ${field}::text from ${pluginChanges} as c
    where c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.key = ${keySql(entity, 't')})`
