import { eq, type SQL, sql } from 'drizzle-orm'
import { entities } from '@/lib/db/schema'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import {
  AUDIT_FIELDS,
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type StoredColumn,
} from '@/lib/definitions/definition'
import { mergeEntity, type RegistryRow } from '@/lib/registry/registry-rows'
import { stored } from '@/lib/rows/record-columns'
import { jsonToColumn } from '@/lib/tables/cast-sql'
import { followPluginRecords } from '@/lib/tables/follow-plugin-records'
import type { Json } from '@/lib/values/json'
import { valueJson } from '../base/record-sql'
import { stageRecords, writeStaged } from '../base/stage-records'
import { convertedFrom } from '../changes/record-converted'

/** An entity before the install that is undone: names of columns and of known undeclared fields. */
type Former = {
  installId: number
  columns: readonly Json[]
  extraFields?: Json
  updatedAt?: Json
}

/**
 * Drops the columns that a table got since, unless somebody wrote values other than the default into them.
 * What was an undeclared field before becomes one again. `properties` are those of the install.
 */
export async function dropAddedColumns(
  tx: Db,
  { row, schema }: RegistryRow,
  { installId, columns, extraFields, updatedAt }: Former,
  properties: readonly Property[],
): Promise<void> {
  const audit: readonly string[] = row.definition.auditable ? AUDIT_FIELDS : []
  const declared = (schema?.properties ?? []).map(({ name }) => name)
  const kept = new Set<Json>([...columns, ...declared, ...audit])
  const undeclared = Array.isArray(extraFields) ? extraFields : []
  const isOpen = schema?.additionalProperties ?? true
  const entity = mergeEntity(row, schema)
  const table = tableSql(entity.table)
  const left: StoredColumn[] = []
  for (const column of row.columns) {
    const { name } = column
    const isOld = kept.has(name) || name.startsWith('$')
    const property = properties.find((one) => one.name === name)
    const former = isOld || !isOpen ? undefined : undeclaredName(property, undeclared)
    if (property && former !== undefined)
      await moveBack(tx, entity, property, { installId, former })
    if (isOld || (!isAudit(name) && (await isUsed(tx, table, name, property)))) left.push(column)
    else await tx.execute(sql`alter table ${table} drop column ${sql.identifier(name)}`)
  }
  await tx
    .update(entities)
    .set({ columns: left, updatedAt: new Date(String(updatedAt)) })
    .where(eq(entities.name, row.name))
}

const isAudit = (name: string) => (AUDIT_FIELDS as readonly string[]).includes(name)

/** The name of the undeclared field that the property was made from. */
const undeclaredName = (property: Property | undefined, undeclared: readonly Json[]) =>
  property &&
  [property.name, ...(property.renamedFrom ?? [])].find((name) => undeclared.includes(name))

/** Makes a property the undeclared field `former` again. */
async function moveBack(
  tx: Db,
  entity: Entity,
  property: Property,
  { installId, former }: { installId: number; former: string },
): Promise<void> {
  const { name } = entity
  const staged = await stageRecords(tx, entity)
  const table = tableSql(staged.table)
  // What the value was, where the column has another one.
  const noted = convertedFrom(entity, installId, former)
  const [value, extra] = [stored(property.name), stored(EXTRA_COLUMN)]
  const made = jsonToColumn(sql`f.former`, property)
  const isPreset = isDefault(table, value, property)
  const isFormer = sql`case when f.former is null then false when f.former = 'null' then ${value} is null or ${isPreset}
    else ${made} is not distinct from ${value} end`
  const json = sql`case when ${isFormer} then f.former else ${valueJson(property, value)} end`
  const isOwn = sql`(${value} is not null and not ${isPreset})`
  await tx.execute(sql`with former_values as materialized (
      select t.ctid as place, ${noted} as former from ${table} as t
    )
    update ${table} as t set ${sql.identifier(property.name)} = null,
      ${sql.identifier(EXTRA_COLUMN)} = coalesce(${extra}, '{}') || jsonb_build_object(${former}::text, ${json})
    from former_values as f where f.place = t.ctid and (${isOwn} or ${isFormer})`)
  await writeStaged(tx, entity, staged)
  const fields = [{ from: property.name, to: former }]
  if (former !== property.name) await followPluginRecords(tx, { from: name, to: name, fields })
}

/** Whether it holds values that were written, rather than computed or a default. */
async function isUsed(tx: Db, table: SQL, column: string, property: Property | undefined) {
  if (property?.rules.computed) return false
  const value = stored(column)
  const own = property
    ? sql`${value} is not null and not ${isDefault(table, value, property)}`
    : sql`${value} is not null`
  return (await rows(tx, sql`select from ${table} as t where ${own} limit 1`)).length > 0
}

/** A generated value is none: those that an install made for records are recorded, and removed by now. */
function isDefault(table: SQL, value: SQL, { name, rules }: Property): SQL {
  if (rules.generates !== undefined) return sql`false`
  const values = JSON.stringify({ [name]: rules.default ?? null })
  return sql`(${value} is not distinct from (jsonb_populate_record(null::${table}, ${values}::text::jsonb)).${sql.identifier(name)})`
}
