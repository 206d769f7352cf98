import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { Json, JsonObject } from '@/lib/values/json'
import { type KeptEdit, keptEdits } from '../kept-edits'
import { beginPreparation, tooSlowToMatch } from '../prepare-records'
import type { PreparedRow } from '../prepared-row'
import { MAX_DETAILS } from '../record-faults'
import type { Signature } from '../record-statements'
import { updateRecords } from '../update-records'
import {
  type EditFault,
  editConflicts,
  editConflictsUntold,
  editRefused,
  editRefusedUntold,
  shownKey,
} from './edit-faults'
import type { Edit } from './read-set'

export type Applied = { updated: number; newExtraFields: string[] }

/** What happens to each part of the records when it is changed. */
type OnPart = (edits: KeptEdit[], rows: PreparedRow[]) => Promise<void>

type Options = Signature & {
  batchId: string
  onPart: OnPart
  /** Whether refusals may name records and what is stored in them. */
  isTold: boolean
}

/**
 * Changes the records that were captured, part by part. Nothing is written once a record is found to be invalid: then
 * the others are only checked, and `invalid_input` names the first 100 if they may be told. Throws `conflict` for taken values.
 */
export async function applyEdit(
  tx: Db,
  entity: Entity,
  edit: Edit,
  { batchId, onPart, isTold, ...signature }: Options,
): Promise<Applied> {
  const check = checker(entity, edit, isTold)
  const applied: Applied = { updated: 0, newExtraFields: [] }
  for await (const edits of keptEdits(tx, batchId, entity.keys)) {
    const rows = await check.add(edits)
    if (check.count() > 0) continue
    const offset = rows[0]?.index ?? 0
    const keyAt = (index: number) => edits[index - offset]?.key ?? {}
    const nameOf = (index: number) => shownKey(keyAt(index))
    const options = { strategy: 'Upsert', removed: edit.removed, nameOf, ...signature } as const
    const { counts, conflicts, missing, newExtraFields } = await updateRecords(
      tx,
      entity,
      rows,
      options,
    )
    if (missing.length > 0) throw goneMeanwhile()
    if (conflicts) throw isTold ? editConflicts(conflicts, keyAt) : editConflictsUntold(conflicts)
    applied.updated += counts.updated
    applied.newExtraFields = [...new Set([...applied.newExtraFields, ...newExtraFields])]
    await onPart(edits, rows)
  }
  check.throwIfAny()
  return applied
}

/** Calculates the new values and checks them; keeps the first 100 faults. */
function checker(entity: Entity, edit: Edit, isTold: boolean) {
  const preparation = beginPreparation(entity, 'update', {
    matchingMs: MATCHING_MS,
    exceeded: () => new AppError('invalid_input', tooSlowToMatch('one edit', 'records')),
  })
  const faults: EditFault[] = []
  let checked = 0
  return {
    async add(edits: readonly KeptEdit[]): Promise<PreparedRow[]> {
      const rows: PreparedRow[] = []
      const records = edits.map((one) => ({ ...one.key, ...calculated(edit, one.before) }))
      await preparation.add(records, (row) => rows.push(withConstants(row, edit)))
      for (const detail of preparation.faults().faults.slice(faults.length, MAX_DETAILS))
        faults.push({ detail, key: edits[(detail.index ?? 0) - checked]?.key ?? {} })
      checked += edits.length
      return rows
    },
    count: () => preparation.faults().faultCount,
    throwIfAny(): void {
      const { count, groups } = preparation.all()
      if (count === 0) return
      throw isTold
        ? editRefused({ code: 'invalid_input', faults, count })
        : editRefusedUntold('invalid_input', groups.list())
    },
  }
}

/** The time limit for matching patterns in all records of an edit. */
const MATCHING_MS = 10_000

function calculated({ expressions }: Edit, before: JsonObject): JsonObject {
  const values = [...expressions].map(([name, { from, apply }]): [string, Json] => [
    name,
    apply(before[from] ?? null),
  ])
  return Object.fromEntries(values)
}

const withConstants = (row: PreparedRow, { constants }: Edit): PreparedRow => ({
  index: row.index,
  values: { ...constants.values, ...row.values },
  extra: row.extra || constants.extra ? { ...constants.extra, ...row.extra } : null,
})

/** Only of records on nodes of a cluster, which are not locked. */
const goneMeanwhile = () =>
  new AppError('unavailable', 'Some of the records were deleted meanwhile; try again', {
    retryAfter: 1,
  })
