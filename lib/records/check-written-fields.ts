import { AUDIT_FIELDS, type Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { FieldNaming } from '@/lib/rows/field-naming'
import { checkRecords, type PrepareMode } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { checkedProperties } from '@/lib/rows/record-schema'
import { isObject, type Json } from '@/lib/values/json'
import { isForced, viewOf } from './entity-view'
import type { Forced } from './rule/forced-values'
import { type ClosedField, refuseClosed } from './rule/refusals'
import { isReadable, type WriteRule, writeVerdict } from './write-rule'

/**
 * As `checkRecords`, of records that a caller sends, without the values that policies give. Throws `forbidden` for a field that
 * no record lets the caller write, and for new records that would lack a field which it may not write; a field that it may
 * not read either is as if there were none.
 */
export async function checkSentRecords(
  rule: WriteRule | null,
  entity: Entity,
  records: readonly Json[],
  mode: PrepareMode,
  naming: FieldNaming,
  forced: Forced | null = null,
): Promise<PreparedRow[]> {
  if (!rule) return checkRecords(entity, records, mode, naming)
  const sent = records.map((record) => withoutForced(rule, record))
  refuseClosed(rule, closedFields(rule, sent), naming)
  const keyed = sent.map((record) => withForcedKeys(rule, record, forced))
  const rows = await checkRecords(viewOf(rule), keyed, mode, naming)
  if (mode === 'insert') requireNoneLacking(rule)
  return rows
}

/** Throws as `checkSentRecords` does for fields of a record that the caller may not write. */
export const refuseClosedFields = (rule: WriteRule, record: Json): void =>
  refuseClosed(rule, closedFields(rule, [record]), 'single')

/** The record without the fields that policies set. */
export function withoutForced(rule: WriteRule, record: Json): Json {
  if (rule.set.length === 0 || !isObject(record)) return record
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => !isForced(rule, name) || (rule.action !== 'write' && isKey(rule, name)),
    ),
  )
}

/** Keys are required, so policies that set them do so before the check. */
function withForcedKeys({ entity }: WriteRule, record: Json, forced: Forced | null): Json {
  const keys = entity.keys.filter((key) => forced && Object.hasOwn(forced.values, key))
  if (keys.length === 0 || !isObject(record)) return record
  return { ...record, ...Object.fromEntries(keys.map((key) => [key, forced?.values[key] ?? null])) }
}

const isKey = ({ entity }: WriteRule, name: string) => entity.keys.includes(name)

/**
 * The fields that no record lets the caller write, except those that a check against `viewOf` the rule finds itself, where
 * the entity takes no undeclared fields.
 */
export function closedFields(rule: WriteRule, records: readonly Json[]): ClosedField[] {
  const isClosed = closedNames(rule)
  return records.flatMap((record, index) =>
    isObject(record)
      ? Object.keys(record)
          .filter(isClosed)
          .map((name) => ({ index, name }))
      : [],
  )
}

function closedNames(rule: WriteRule): (name: string) => boolean {
  const { entity } = rule
  const served = servedFields(entity)
  const known = new Map<string, boolean>()
  return (name) => {
    const found =
      known.get(name) ??
      (writeVerdict(rule, name) === false &&
        (isReadable(rule, name) ? !served.has(name) : entity.open))
    if (known.size < 1_000) known.set(name, found)
    return found
  }
}

/** Fields of records that nobody sets, and which may be sent back as they were read. */
function servedFields(entity: Entity): Set<string> {
  const settable = new Set(checkedProperties(entity).map(({ name }) => name))
  const served = entity.properties.map(({ name }) => name).filter((name) => !settable.has(name))
  return new Set(entity.definition.auditable ? [...served, ...AUDIT_FIELDS] : served)
}

/** Throws `forbidden` when new records need a field that the caller may not write. */
export function requireNoneLacking(rule: WriteRule): void {
  const lacking = checkedProperties(rule.entity).filter(
    ({ name, rules }) =>
      rules.required &&
      rules.default === undefined &&
      !rules.generates &&
      !isKey(rule, name) &&
      !isForced(rule, name) &&
      writeVerdict(rule, name) === false,
  )
  if (lacking.length === 0) return
  const named = lacking.find(({ name }) => isReadable(rule, name))?.name
  const what = named === undefined ? 'a field' : JSON.stringify(named)
  throw new AppError(
    'forbidden',
    `New records of "${rule.entity.name}" need ${what}, which you may not write`,
  )
}
