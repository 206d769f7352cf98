import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { literalOf } from '@/lib/values/exact-numbers'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'
import { compileEntity } from './compiled-entity'
import { prepareRecords } from './prepare-records'
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

/** The same for records that say their keys; those that are not stored, or have faults, stay as they are. */
export async function allWithoutStoredValues(
  db: Db,
  entity: Entity,
  records: readonly Json[],
): Promise<readonly Json[]> {
  if (!records.some((record) => bringsComputed(entity, record))) return records
  const keys = records.map((record) =>
    isObject(record)
      ? Object.fromEntries(entity.keys.map((key) => [key, record[key] ?? null]))
      : record,
  )
  const { rows } = await prepareRecords(entity, keys, 'update')
  const readKey = tupleReader(entity, entity.keys)
  const found = parseJson(await selectRecords(db, entity, rows), { exactly: true }) as JsonObject[]
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
