import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import { type Db, tableSql } from '@/lib/db/sql'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type SchemaDefinition,
} from '@/lib/definitions/definition'
import { entitiesOfSchema, mergeEntity } from '@/lib/registry/registry-rows'
import { checkedProperties } from '@/lib/rows/record-schema'
import { jsonFits, jsonToColumn } from '@/lib/tables/cast-sql'
import { keySql, valueJson } from '../base/record-sql'
import { stageRecords } from '../base/stage-records'

/** In the notes of a record: undeclared fields, as they were before their names were declared. */
export const CONVERTED = '$converted'

type Install = { installId: number | null; pluginId: string }

/** In the notes of a record: fields without a value, and the default that they got when they became required. */
const FILLED = '$filled'

/**
 * Notes the values that a schema is about to change and that would not come back by themselves: undeclared
 * ones that it declares, such as the text `"3"` that becomes a number, and missing ones that it requires.
 */
export async function recordConverted(
  tx: Db,
  install: Install,
  { name, properties }: SchemaDefinition,
): Promise<void> {
  if (install.installId === null) return
  for (const { row, schema } of await entitiesOfSchema(tx, name)) {
    const entity = mergeEntity(row, schema)
    let staged: Promise<Entity> | null = null
    const write = async (statement: (of: Entity) => SQL) => {
      staged ??= stageRecords(tx, entity)
      await tx.execute(statement(await staged))
    }
    for (const property of properties) {
      const { rules, renamedFrom = [] } = property
      const had = (names: readonly string[]) =>
        entity.properties.find((one) => names.includes(one.name))
      const former = had([property.name]) ?? had(renamedFrom)
      if (!former && entity.open && rules.computed === undefined)
        for (const name of [property.name, ...renamedFrom])
          await write((of) => recordUndeclared(of, { ...property, name }, install))
      if (former && !former.rules.required && isFilled(rules))
        await write((of) => recordMissing(of, former, property, install))
    }
  }
}

/** With the same value in all records. */
const isFilled = ({ required, default: preset, generates }: Property['rules']) =>
  required && preset !== undefined && generates === undefined

function recordUndeclared(entity: Entity, property: Property, install: Install): SQL {
  const name = sql`${property.name}::text`
  const extra = sql`t.${sql.identifier(EXTRA_COLUMN)}`
  const value = sql`(${extra} -> ${name})`
  const where = sql`${extra} ? ${name} and not ${comesBack(property, value)}`
  return note(entity, install, { kind: CONVERTED, name: property.name, value, where })
}

function recordMissing(
  entity: Entity,
  former: Property,
  { rules }: Property,
  install: Install,
): SQL {
  const value = sql`${JSON.stringify(rules.default ?? null)}::text::jsonb`
  const where = sql`t.${sql.identifier(former.name)} is null`
  return note(entity, install, { kind: FILLED, name: former.name, value, where })
}

type Note = { kind: string; name: string; value: SQL; where: SQL }

function note(entity: Entity, install: Install, { kind, name, value, where }: Note): SQL {
  const of = sql`${kind}::text`
  return sql`insert into ${pluginChanges} (install_id, entity, key, change, before, remembered)
    select ${install.installId}::bigint, ${entity.name}::text, ${keySql(entity, 't')}, 'unchanged',
      jsonb_build_object(${of}, jsonb_build_object(${name}::text, ${value})), to_jsonb(p.*)
    from ${tableSql(entity.table)} as t left join ${pluginRecords} as p
      on p.plugin_id = ${install.pluginId}::text and p.entity = ${entity.name}::text and p.key = ${keySql(entity, 't')}
    where ${where}
    on conflict (install_id, entity, key) do update set before = coalesce(plugin_changes.before, '{}')
      || jsonb_build_object(${of}, coalesce(plugin_changes.before -> ${of}, '{}') || (excluded.before -> ${of}))`
}

/** Takes back the values that fields got when an install made them required, unless they were changed since. */
export function emptyFilled(entity: Entity, installId: number): SQL[] {
  const loose = checkedProperties(entity).filter(({ rules }) => !rules.required)
  return loose.map((property) => {
    const [name, value] = [sql`${property.name}::text`, sql.identifier(property.name)]
    const preset = sql`(c.before -> ${FILLED}::text -> ${name})`
    return sql`update ${tableSql(entity.table)} as t set ${value} = null from ${pluginChanges} as c
      where c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.key = ${keySql(entity, 't')}
        and c.before -> ${FILLED}::text ? ${name}
        and case when ${jsonFits(preset, property)} then t.${value} = ${jsonToColumn(preset, property)} end`
  })
}

/** Defaults do not come back, as they are what records without a value get. */
function comesBack(property: Property, value: SQL): SQL {
  const column = jsonToColumn(value, property)
  const { default: preset } = property.rules
  const isDefault =
    preset === undefined || preset === null
      ? sql`false`
      : sql`${column} = ${jsonToColumn(sql`${JSON.stringify(preset)}::text::jsonb`, property)}`
  return sql`case when ${value} <> 'null' and ${jsonFits(value, property)}
    then ${valueJson(property, column)} = ${value} and not ${isDefault} else false end`
}

/** What was noted of a field of the record `t`; null without a note. */
export const convertedFrom = (entity: Entity, installId: number, field: string): SQL =>
  sql`(select c.before -> ${CONVERTED}::text -> ${field}::text from ${pluginChanges} as c
    where c.install_id = ${installId}::bigint and c.entity = ${entity.name}::text and c.key = ${keySql(entity, 't')})`
