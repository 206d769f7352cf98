import type { Actor } from '@/lib/auth/rights'
import { one } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { canonicalText } from '@/lib/rows/record-key'
import type { Json, JsonObject } from '@/lib/values/json'
import { checkSentRecords } from '../check-written-fields'
import type { WriteRule } from '../write-rule'

export type ChangeRecord = {
  entityName: string
  id: string
  /** The fields to change, or all; may include the key, unchanged. */
  record: JsonObject
  /**
   * `merge` changes the given fields and removes undeclared ones that are null; `byDefinition` follows
   * the entity's `updateStrategy`.
   */
  manner: 'merge' | 'byDefinition'
  /** The `If-Match` header. */
  ifMatch: string | null
  actor: Actor
  requestId: string
}

export type PreparedChange = {
  row: PreparedRow
  /** Undeclared fields to remove. */
  removed: string[]
}

/**
 * A change of the record that has `keys`, checked. Throws `invalid_input` for bad fields and for
 * another key than its own.
 */
export async function prepareChange(
  entity: Entity,
  keys: JsonObject,
  { record, manner }: { record: JsonObject; manner: 'merge' | 'byDefinition' },
  rule: WriteRule | null = null,
): Promise<PreparedChange> {
  const mode = strategyOf(entity, manner) === 'Replace' ? 'replace' : 'update'
  const row = one(await checkSentRecords(rule, entity, [{ ...keys, ...record }], mode, 'single'))
  const changed = entity.keys.filter((key) => {
    const property = entity.properties.find(({ name }) => name === key)
    const textOf = (value: Json | undefined) => property && canonicalText(property, value ?? null)
    return textOf(row.values[key]) !== textOf(keys[key])
  })
  if (changed.length === 0) return { row, removed: manner === 'merge' ? takeNulls(row) : [] }
  const error = 'is the key and cannot be changed; it may be left out'
  throw new AppError('invalid_input', `${changed[0]}: ${error}`, {
    validations: changed.map((field) => ({ field, error })),
  })
}

/** Removes the undeclared fields that are null from `row`, and returns their names. */
function takeNulls(row: PreparedRow): string[] {
  const extra = Object.entries(row.extra ?? {})
  const removed = extra.filter(([, value]) => value === null).map(([name]) => name)
  if (row.extra) row.extra = Object.fromEntries(extra.filter(([, value]) => value !== null))
  return removed
}

/** Whether fields that are not given are kept. */
export const strategyOf = ({ definition }: Entity, manner: 'merge' | 'byDefinition') =>
  manner === 'merge' ? 'Upsert' : definition.updateStrategy
