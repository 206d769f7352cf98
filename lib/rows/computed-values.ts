import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows as rowsOf, tableSql } from '@/lib/db/sql'
import { fieldsOf, parseExpression } from '@/lib/definitions/computed-expression'
import type { Entity, Property } from '@/lib/definitions/definition'
import { columnOf } from '@/lib/tables/column-spec'
import { isObject, type Json, type JsonObject, literalOf, parseJson } from '@/lib/values/json'
import { compileEntity } from './compiled-entity'
import { prepareRecords } from './prepare-records'
import { type Encode, jsonChunks, type PreparedRow } from './prepared-row'
import {
  INDEX_COLUMN,
  incoming,
  PRESENCE_COLUMN,
  recordset,
  sameKey,
  stored,
} from './record-columns'
import { canonicalText, tupleReader } from './record-key'
import { selectRecords } from './select-records'

/** Whether a record brings a field that the database computes. */
export const bringsComputed = (entity: Entity, record: Json): boolean =>
  isObject(record) && Object.keys(record).some((name) => compileEntity(entity).computed.has(name))

/**
 * The record without the computed fields whose values are the stored ones, so that a record can be sent
 * back as it was read. Other values stay, and are refused.
 */
export function withoutStoredValues(
  entity: Entity,
  record: JsonObject,
  stored: JsonObject,
): JsonObject {
  const isStored = (name: string, value: Json) => {
    const property = entity.properties.find((one) => one.name === name)
    if (!property?.rules.computed) return false
    const textOf = (one: Json | undefined) => canonicalText(property, literalOf(one) ?? one ?? null)
    return textOf(value) === textOf(stored[name])
  }
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !isStored(name, value)),
  )
}

/**
 * The same for records that say their keys; those that are not stored, or have faults, stay as they are. `select`: the stored
 * records as the caller reads them.
 */
export async function allWithoutStoredValues(
  db: Db,
  entity: Entity,
  records: readonly Json[],
  select = (rows: PreparedRow[]) => selectRecords(db, entity, rows),
): Promise<readonly Json[]> {
  if (!records.some((record) => bringsComputed(entity, record))) return records
  const keys = records.map((record) =>
    isObject(record)
      ? Object.fromEntries(entity.keys.map((key) => [key, record[key] ?? null]))
      : record,
  )
  const { rows } = await prepareRecords(entity, keys, 'update')
  const readKey = tupleReader(entity, entity.keys)
  const found = parseJson(await select(rows), { exactly: true }) as JsonObject[]
  const exactKey = (one: JsonObject) =>
    readKey(
      Object.fromEntries(entity.keys.map((key) => [key, literalOf(one[key]) ?? one[key] ?? null])),
    )
  const stored = new Map(found.map((one) => [exactKey(one), one]))
  const keyOf = new Map(rows.map(({ index, values }) => [index, readKey(values)]))
  return records.map((record, index) => {
    const one = stored.get(keyOf.get(index) ?? null)
    return one && isObject(record) ? withoutStoredValues(entity, record, one) : record
  })
}

type Computed = { index: number; values: (string | null)[] }

/**
 * The rows with the values of those of `columns` that the database computes, as texts. Fields that a row
 * lacks count as they are stored.
 */
export async function withComputedValues(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  columns: readonly string[],
): Promise<PreparedRow[]> {
  const computed = entity.properties.filter(
    ({ name, rules }) => rules.computed !== undefined && columns.includes(name),
  )
  if (computed.length === 0) return rows
  const sources = [...new Set([...entity.keys, ...computed.flatMap(sourcesOf)])]
  const found = new Map<number, Record<string, Json>>()
  for (const { json } of jsonChunks(rows, encoderOf(sources)))
    for (const { index, values } of await rowsOf<Computed>(
      db,
      computedOf(entity, computed, sources, json),
    ))
      found.set(
        index,
        Object.fromEntries(computed.map(({ name }, at) => [name, values[at] ?? null])),
      )
  return rows.map(({ index, values, extra }) => ({
    index,
    values: { ...values, ...found.get(index) },
    extra,
  }))
}

const sourcesOf = ({ rules }: Property): string[] => fieldsOf(parseExpression(rules.computed ?? ''))

const encoderOf =
  (sources: readonly string[]): Encode =>
  ({ index, values }) => {
    const names = sources.filter((name) => name in values)
    const picked = names.map((name): [string, Json] => [name, values[name] ?? null])
    const all = [[INDEX_COLUMN, index], [PRESENCE_COLUMN, names], ...picked]
    return JSON.stringify(Object.fromEntries(all))
  }

function computedOf(
  entity: Entity,
  computed: readonly Property[],
  sources: readonly string[],
  json: string,
): SQL {
  const [at, presence] = [sql.identifier(INDEX_COLUMN), sql.identifier(PRESENCE_COLUMN)]
  const values = computed.map((property) => {
    const column = columnOf(entity, property)
    return sql`((${column.computed})::${sql.raw(column.sqlType)})::text`
  })
  const whole = sources.map(
    (name) =>
      sql`case when n.${presence} ? ${name}::text then ${incoming(name)} else ${stored(name)} end as ${sql.identifier(name)}`,
  )
  return sql`select ${at} as index, array[${sql.join(values, sql`, `)}] as values from (
      select n.${at}, ${sql.join(whole, sql`, `)}
      from ${recordset(entity, json, [INDEX_COLUMN, PRESENCE_COLUMN, ...sources])}
        left join ${tableSql(entity.table)} as t on ${sameKey(entity)}
    ) as whole`
}
