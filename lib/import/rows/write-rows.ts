import { sql } from 'drizzle-orm'
import { takesCopies } from '@/lib/db/copy-in'
import { databaseError } from '@/lib/db/errors'
import type { ImportRow } from '@/lib/db/schema'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { insertUnderRules } from '@/lib/records/insert-under-rule'
import { type ImportKeep, keepChanged, keepCreated } from '@/lib/records/kept-imports'
import { updateUnderRule } from '@/lib/records/update-under-rule'
import { NotAllowedError } from '@/lib/records/verify-written'
import { findConflicts } from '@/lib/rows/conflicts'
import { copyPart, isRecordError } from '@/lib/rows/load-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { addPlainFault, type RecordFaults, showable } from '@/lib/rows/record-faults'
import { updateRecords } from '@/lib/rows/update-records'
import { writeRecords } from '@/lib/rows/write-records'
import { type ImportRules, isNamedIn } from '../import-rules'

type Options = {
  as: ImportRow['mode']
  /** Rows may refer to later ones: references are checked in the end. */
  isLinked: boolean
  /** As in `Merge`. */
  isText: boolean
  actorName: string
  now: Date
  faults: RecordFaults
  rules: ImportRules | null
  /** Null: it can't be undone. Then rows are not `upsert`. */
  keep: ImportKeep | null
}

type Counts = Omit<RecordCounts, 'failed'>

/** Some of the rows can't be written; nothing of them is. */
class RefusedError extends Error {}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0 }

/**
 * Writes all rows that the database takes, in one statement if it takes them all; the others become faults. What is wrong with rows is
 * looked for after they were refused, and where nothing is found, by halves.
 */
export async function writeRows(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  options: Options,
): Promise<Counts> {
  if (rows.length === 0) return NONE
  try {
    return await tx.transaction(async (inner) => {
      const counts = await write(inner, entity, rows, options)
      if (!options.isLinked) await inner.execute(sql`set constraints all immediate`)
      return counts
    })
  } catch (error) {
    if (error instanceof NotAllowedError) {
      const notAllowed = rows.filter(({ index }) => error.indexes.has(index))
      for (const row of notAllowed) refuse(row, error, options.faults)
      const others = rows.filter(({ index }) => !error.indexes.has(index))
      if (others.length < rows.length) return writeRows(tx, entity, others, options)
    }
    const isExpected = error instanceof RefusedError || isRecordError(error) || isOfRule(error)
    if (!isExpected) throw error
    const left = await leftOf(rows, options.faults, () => explain(tx, entity, rows, options))
    if (left.length < rows.length) return writeRows(tx, entity, left, options)
    if (rows.length > 1) return inHalves(tx, entity, rows, options)
    refuse(rows[0] as PreparedRow, error, options.faults)
    return NONE
  }
}

const ON_DUPLICATE = { create: 'Error', update: 'Update', upsert: 'Upsert' } as const

/** Policies do not let the caller write a row so. */
const isOfRule = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'forbidden' || error.code === 'invalid_input')

const explain = (
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  { as, faults, isLinked, rules }: Options,
) =>
  findConflicts(tx, entity, rows, ON_DUPLICATE[as], {
    ...{ faults, only: ({ isSelf }) => !(isLinked && isSelf) },
    isNamed: (name) => isNamedIn(rules, name),
  })

async function inHalves(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  options: Options,
): Promise<Counts> {
  const middle = rows.length >> 1
  const one = await writeRows(tx, entity, rows.slice(0, middle), options)
  const other = await writeRows(tx, entity, rows.slice(middle), options)
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
  }
}

async function write(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  { as, actorName, now, isLinked, isText, rules, keep }: Options,
): Promise<Counts> {
  const signature = { actorName, now }
  const rule = as === 'update' ? rules?.update : rules?.write
  if (as === 'create' && takesCopies(tx) && !rule) {
    if (isLinked) await tx.execute(sql`set constraints all deferred`)
    const written = await copyPart(tx, entity, rows, signature)
    if (keep) await keepCreated(tx, entity, written, keep)
    return { ...NONE, created: rows.length }
  }
  if (as === 'update') {
    const options = { ...signature, strategy: 'Upsert', isPart: true, isText } as const
    const change = () =>
      rule
        ? updateUnderRule(tx, rule, rows, { ...options, naming: 'single' })
        : updateRecords(tx, entity, rows, options)
    const { counts, missing, conflicts } = keep
      ? await keepChanged(tx, entity, rows, keep, change)
      : await change()
    if (missing.length > 0 || conflicts) throw new RefusedError('Some records are refused')
    return counts
  }
  const options = {
    ...signature,
    onDuplicate: as === 'create' ? 'Error' : 'Upsert',
    updateStrategy: 'Upsert',
    isPart: true,
    isText,
  } as const
  const result = rule
    ? await insertUnderRules(tx, entity, { write: rule, update: null }, rows, {
        ...options,
        naming: 'single',
      })
    : await writeRecords(tx, entity, rows, options)
  if (result.kind) throw new RefusedError('Some records are refused')
  if (keep) await keepCreated(tx, entity, result.rows, keep)
  return result.counts
}

function refuse({ index }: PreparedRow, error: unknown, faults: RecordFaults): void {
  const reason = databaseError(error)?.message
  const message = isOfRule(error)
    ? error.message
    : reason
      ? `The database refuses it: ${showable(reason)}`
      : CHANGED_MEANWHILE
  addPlainFault(faults, 'value', null, { index, message })
}

const CHANGED_MEANWHILE = 'was changed or deleted by somebody else meanwhile'

type Rows = PreparedRow[]

/** The rows about which `check` finds no fault. */
export async function leftOf(
  rows: Rows,
  faults: RecordFaults,
  check: () => Promise<unknown>,
): Promise<Rows> {
  const bad = new Set<number | undefined>()
  const { onFault } = faults
  faults.onFault = (index, detail) => {
    bad.add(index)
    onFault?.(index, detail)
  }
  try {
    await check()
  } finally {
    if (onFault) faults.onFault = onFault
  }
  return bad.size === 0 ? rows : rows.filter(({ index }) => !bad.has(index))
}
