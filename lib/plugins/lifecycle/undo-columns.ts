import { eq, type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import { entities } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import {
  AUDIT_FIELDS,
  EXTRA_COLUMN,
  type Property,
  type StoredColumn,
} from '@/lib/definitions/definition'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'
import { valueJson } from './record-sql'

/** An entity before the install: names of columns and of known undeclared fields. */
type Former = { columns: readonly Json[]; extraFields?: Json; updatedAt?: Json }

/**
 * Drops the columns that a table got since, unless somebody wrote values other than the default into them.
 * What was an undeclared field before becomes one again. `properties` are those of the install.
 */
export async function dropAddedColumns(
  tx: Db,
  { row, schema }: RegistryRow,
  { columns, extraFields, updatedAt }: Former,
  properties: readonly Property[],
): Promise<void> {
  const audit: readonly string[] = row.definition.auditable ? AUDIT_FIELDS : []
  const declared = (schema?.properties ?? []).map(({ name }) => name)
  const kept = new Set<Json>([...columns, ...declared, ...audit])
  const undeclared = Array.isArray(extraFields) ? extraFields : []
  const isOpen = schema?.additionalProperties ?? true
  const table = tableSql({ schema: row.tableSchema, name: row.tableName })
  const left: StoredColumn[] = []
  for (const column of row.columns) {
    const { name } = column
    const isOld = kept.has(name) || name.startsWith('$')
    const property = properties.find((one) => one.name === name)
    if (!isOld && isOpen && undeclared.includes(name) && property)
      await moveBack(tx, table, property)
    if (isOld || (!isAudit(name) && (await isUsed(tx, table, name, property)))) left.push(column)
    else await tx.execute(sql`alter table ${table} drop column ${sql.identifier(name)}`)
  }
  await tx
    .update(entities)
    .set({ columns: left, updatedAt: new Date(String(updatedAt)) })
    .where(eq(entities.name, row.name))
}

const isAudit = (name: string) => (AUDIT_FIELDS as readonly string[]).includes(name)

async function moveBack(tx: Db, table: SQL, property: Property): Promise<void> {
  const [value, extra] = [sql.identifier(property.name), sql.identifier(EXTRA_COLUMN)]
  const field = sql`jsonb_build_object(${property.name}::text, ${valueJson(property, sql`${value}`)})`
  await tx.execute(sql`update ${table} set ${extra} = coalesce(${extra}, '{}') || ${field}, ${value} = null
    where ${value} is not null and not ${isDefault(table, property.name, property)}`)
}

/** Computed values are nobody's. */
async function isUsed(tx: Db, table: SQL, column: string, property: Property | undefined) {
  if (property?.rules.computed) return false
  const value = sql`${sql.identifier(column)}`
  const query = sql`select from ${table} where ${value} is not null and not ${isDefault(table, column, property)} limit 1`
  return (await rows(tx, query)).length > 0
}

function isDefault(table: SQL, column: string, property: Property | undefined): SQL {
  const value = sql.identifier(column)
  const values = JSON.stringify({ [column]: property?.rules.default ?? null })
  return sql`(${value} is not distinct from (jsonb_populate_record(null::${table}, ${values}::text::jsonb)).${value})`
}
