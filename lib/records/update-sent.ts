import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import { allWithoutStoredValues } from '@/lib/rows/computed-values'
import { type FieldNaming, nameIn } from '@/lib/rows/field-naming'
import type { PrepareMode } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { requireNoConflicts, showable } from '@/lib/rows/record-faults'
import { keyOf } from '@/lib/rows/record-key'
import { type UpdateOptions, type UpdateResult, updateRecords } from '@/lib/rows/update-records'
import type { Json } from '@/lib/values/json'
import { checkSentRecords } from './check-written-fields'
import { viewOf } from './entity-view'
import { selectShown } from './shown-records'
import { updateUnderRule } from './update-under-rule'
import type { WriteRule } from './write-rule'

type Checked = { mode: PrepareMode; naming: FieldNaming; actor: Actor }

/** Changes of records that say their keys, checked. Computed fields may be sent as they were read. Throws as `checkSentRecords` does. */
export async function checkSentChanges(
  db: Db,
  rule: WriteRule | null,
  entity: Entity,
  records: readonly Json[],
  { mode, naming, actor }: Checked,
): Promise<PreparedRow[]> {
  const select = rule ? (rows: PreparedRow[]) => selectShown(db, rule, rows) : undefined
  const settable = mayRead(actor, entity)
    ? await allWithoutStoredValues(db, rule ? viewOf(rule) : entity, records, select)
    : records
  return checkSentRecords(rule, entity, settable, mode, naming)
}

/**
 * Changes records in a transaction that is to be rolled back on errors. Throws `not_found` that names every key without a record
 * (the first 100), and `conflict`.
 */
export async function updateSent(
  tx: Db,
  rule: WriteRule | null,
  entity: Entity,
  rows: PreparedRow[],
  { naming, ...options }: UpdateOptions & { naming: FieldNaming },
): Promise<UpdateResult> {
  const result = rule
    ? await updateUnderRule(tx, rule, rows, { ...options, naming })
    : await updateRecords(tx, entity, rows, options)
  requireNoneMissing(entity, result.missing, naming)
  if (result.conflicts) requireNoConflicts(result.conflicts, naming)
  return result
}

function requireNoneMissing(entity: Entity, missing: PreparedRow[], naming: FieldNaming): void {
  const [first] = missing
  if (!first) return
  const name = naming === 'single' ? entity.keys.join(', ') : ''
  const shown = missing.slice(0, 100).map(({ index, values }) => {
    const key = JSON.stringify(showable(keyOf(entity, values)))
    const field = nameIn(naming, index, { pointer: '', name })
    return { field, error: `There is no ${entity.name} with the key ${key}` }
  })
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''
  const meta = missing.length > shown.length ? { validationCount: missing.length } : {}
  throw new AppError('not_found', `${shown[0]?.error}${more}`, { validations: shown, meta })
}
