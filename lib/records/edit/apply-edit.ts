import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import { AppError, type Validation } from '@/lib/errors'
import type { IsNamed } from '@/lib/rows/conflicts'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type Conflicts, fieldOf, MAX_DETAILS } from '@/lib/rows/record-faults'
import type { Merge, Signature } from '@/lib/rows/record-statements'
import { updateRecords } from '@/lib/rows/update-records'
import { type Json, type JsonObject, literalOf, stringifyExactly } from '@/lib/values/json'
import { type KeptEdit, keptEdits } from '../kept-edits'
import type { Before } from '../verify-written'
import type { Edit } from './read-set'

export type Applied = { updated: number; newExtraFields: string[] }

/** What happens to each part of the records when it is changed; `before`: what was judged of it. */
type OnPart = (edits: KeptEdit[], rows: PreparedRow[], before: Before) => Promise<void>

type Options = Signature &
  Pick<Merge, 'writesSame'> & {
    batchId: string
    onPart: OnPart
    /** Whether refusals may name records and what is stored in them. */
    isTold: boolean
    /** As of `updateRecords`. */
    isNamed?: IsNamed
    /** Called before a part is changed. */
    judge?: (rows: PreparedRow[]) => Promise<Before>
  }

/**
 * Changes the records that were captured, part by part. Nothing is written once a record is found to be invalid: then
 * the others are only checked, and `invalid_input` names the first 100 if they may be told. Throws `conflict` for taken values.
 */
export async function applyEdit(
  tx: Db,
  entity: Entity,
  edit: Edit,
  { batchId, onPart, isTold, isNamed, judge, ...signature }: Options,
): Promise<Applied> {
  const check = checker(entity, edit, isTold)
  const applied: Applied = { updated: 0, newExtraFields: [] }
  for await (const edits of keptEdits(tx, batchId, entity.keys)) {
    const rows = await check.add(edits)
    if (check.count() > 0) continue
    const offset = rows[0]?.index ?? 0
    const keyAt = (index: number) => edits[index - offset]?.key ?? {}
    const nameOf = (index: number) => shownKey(keyAt(index))
    const before: Before = judge ? await judge(rows) : new Map()
    const options = {
      strategy: 'Upsert',
      removed: edit.removed,
      nameOf,
      isNamed,
      ...signature,
    } as const
    const { counts, conflicts, missing, newExtraFields } = await updateRecords(
      tx,
      entity,
      rows,
      options,
    )
    if (missing.length > 0) throw deletedMeanwhile()
    if (conflicts) throw isTold ? editConflicts(conflicts, keyAt) : editConflictsUntold(conflicts)
    applied.updated += counts.updated
    applied.newExtraFields = [...new Set([...applied.newExtraFields, ...newExtraFields])]
    await onPart(edits, rows, before)
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
      for (const detail of preparation.faults.details.slice(faults.length, MAX_DETAILS))
        faults.push({ detail, key: edits[(detail.index ?? 0) - checked]?.key ?? {} })
      checked += edits.length
      return rows
    },
    count: () => preparation.faults.count,
    throwIfAny(): void {
      const { count, groups } = preparation.faults
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
const deletedMeanwhile = () =>
  new AppError('unavailable', 'Some of the records were deleted meanwhile; try again', {
    retryAfter: 1,
  })

/** A fault of a record that an edit would make, with the record's key. */
type EditFault = { detail: FileDetail; key: JsonObject }

type Faults = { code: 'invalid_input' | 'conflict'; faults: readonly EditFault[]; count: number }

/** For records that an edit would make invalid: the first 100, each with its key and value. */
const editRefused = ({ code, faults, count }: Faults): AppError =>
  refusal(code, faults.map(toValidation), count)

function refusal(code: Faults['code'], validations: Validation[], count: number): AppError {
  const [first] = validations
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const text = `${first?.field}: ${first?.error}${more}; nothing was changed`
  const meta = count > validations.length ? { validationCount: count } : {}
  return new AppError(code, text, { validations, meta })
}

/** For values that are taken, and references to nothing. */
function editConflicts(found: Conflicts, keyAt: (index: number) => JsonObject): AppError {
  return editRefused({
    code: codeOf(found),
    faults: found.details.map((detail) => ({ detail, key: keyAt(detail.index ?? -1) })),
    count: found.count,
  })
}

/** The same for who may not read the records: the rules with the numbers of records, without keys and values. */
function editRefusedUntold(code: Faults['code'], groups: readonly FaultGroup[]): AppError {
  const totals = new Map<string, { field: string; rule: string; total: number }>()
  for (const group of groups) {
    const about = ruleOf(group)
    const name = JSON.stringify(about)
    totals.set(name, { ...about, total: (totals.get(name)?.total ?? 0) + group.total })
  }
  const validations = [...totals.values()].map(({ field, rule, total }) => ({
    field,
    error: `${rule} (${total === 1 ? '1 record' : `${total} records`})`,
  }))
  return refusal(code, validations, validations.length)
}

function ruleOf({ rule, field, message }: FaultGroup): { field: string; rule: string } {
  // The database's own words may quote a record.
  if (rule === 'value') return { field: 'set', rule: 'is refused' }
  const isOfSeveral = rule === 'unique' && field?.includes(', ')
  if (isOfSeveral) return { field: 'set', rule: `${field} ${message}` }
  return { field: field ? `set.${field}` : 'set', rule: message }
}

const editConflictsUntold = (found: Conflicts): AppError =>
  editRefusedUntold(codeOf(found), found.groups.list())

const codeOf = ({ kind }: Conflicts) => (kind === 'reference' ? 'invalid_input' : 'conflict')

function toValidation({ detail, key }: EditFault): Validation {
  const { pointer = '', message, value } = detail
  const name = fieldOf(pointer)
  const shown = shownKey(key)
  const parts = [
    ...(shown ? [`record ${shown}`] : []),
    ...(name && value !== undefined ? [`would get ${textOf(value)}`] : []),
  ]
  const about = parts.length > 0 ? ` (${parts.join(' ')})` : ''
  return { field: name ? `set.${name}` : 'set', error: message + about }
}

/** A key as messages name its record. */
const shownKey = (key: JsonObject): string => Object.values(key).map(textOf).join(', ')

const textOf = (value: Json): string =>
  literalOf(value) ?? (typeof value === 'string' ? value : stringifyExactly(value))
