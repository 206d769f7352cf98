import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { explainConflicts } from '@/lib/rows/conflicts'
import { distinctRows } from '@/lib/rows/distinct-rows'
import type { FieldNaming } from '@/lib/rows/field-naming'
import { keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import type { Conflicts } from '@/lib/rows/record-faults'
import { lockRecords } from '@/lib/rows/select-records'
import { updateRecords } from '@/lib/rows/update-records'
import { type WriteOptions, type WriteResult, writeRecords } from '@/lib/rows/write-records'
import { judgeStored } from './rows-that-may'
import { forcedValues, withForced } from './rule/forced-values'
import { updateUnderRule } from './update-under-rule'
import { verifyWritten } from './verify-written'
import { isKnown, type WriteRule } from './write-rule'

/** Of new records, and of the changes of stored ones that they may be. */
export type InsertRules = { write: WriteRule | null; update: WriteRule | null }

type Options = WriteOptions & { naming: FieldNaming }

/**
 * As `writeRecords`, with the values that policies give. A record that is stored and that the caller may not read, or not
 * change where it would be overwritten, is a conflict. Throws as `verifyWritten` does: the transaction is to be rolled back then.
 */
export async function insertUnderRules(
  tx: Db,
  entity: Entity,
  rules: InsertRules,
  rows: PreparedRow[],
  options: Options,
): Promise<WriteResult> {
  const { write, update } = rules
  const { onDuplicate, naming } = options
  const isNamed = (name: string) =>
    [write, update].some((rule) => rule !== null && isKnown(rule, name))
  const told = { ...options, isNamed }
  const forced = write && (await forcedValues(write, options.now))
  const whole = write ? withForced(write, rows, forced) : rows
  const stored = onDuplicate === 'Error' ? [] : await storedAmong(tx, entity, whole)
  const judging = onDuplicate === 'Upsert' ? update : (write ?? update)
  const blocked = await blockedAmong(tx, judging, stored)
  if (blocked.length > 0)
    return failed(
      rows,
      await explainConflicts(tx, entity, blocked, 'Error', undefined, { isNamed }),
    )
  const isStored = indexesOf(stored)
  const fresh = whole.filter(({ index }) => !isStored.has(index))
  if (onDuplicate === 'Upsert' && stored.length > 0) {
    const existing = rows.filter(({ index }) => isStored.has(index))
    return upsert(tx, entity, rules, { fresh, existing, sent: rows }, told)
  }
  const result = await writeRecords(tx, entity, whole, told)
  const isNew = indexesOf(fresh)
  const written = result.rows.filter(({ index }) => isNew.has(index))
  if (result.kind === null) await verifyWritten(tx, write, written, sentOf(written, rows), naming)
  return result
}

type Split = { fresh: PreparedRow[]; existing: PreparedRow[]; sent: PreparedRow[] }

/** Rolls back what was written before a conflict was found. */
class Refused extends Error {
  constructor(readonly conflicts: Conflicts) {
    super('Records conflict with stored ones')
  }
}

/** New records and changes of stored ones, each under its own rule; all or none. */
async function upsert(
  tx: Db,
  entity: Entity,
  rules: InsertRules,
  { fresh, existing, sent }: Split,
  options: Options,
): Promise<WriteResult> {
  try {
    return await tx.transaction(async (inner) => {
      const created = await createNew(inner, entity, rules.write, fresh, sent, options)
      if (created.kind !== null) return created
      const changed = await change(inner, entity, rules.update, existing, options)
      const { updated, unchanged } = changed.counts
      const counts = { ...created.counts, updated, unchanged: unchanged + created.counts.unchanged }
      const names = new Set([...created.newExtraFields, ...changed.newExtraFields])
      const rows = [...created.rows, ...changed.rows].sort((a, b) => a.index - b.index)
      return { ...created, counts, rows, newExtraFields: [...names] }
    })
  } catch (error) {
    if (error instanceof Refused) return failed(sent, error.conflicts)
    throw error
  }
}

async function createNew(
  tx: Db,
  entity: Entity,
  rule: WriteRule | null,
  fresh: PreparedRow[],
  sent: PreparedRow[],
  options: Options,
): Promise<WriteResult> {
  const readKey = keyReader(entity)
  const keyed = fresh.filter((row) => readKey(row) !== null)
  const { rows, repeated } = await distinctRows(entity, keyed, 'Upsert', options.updateStrategy)
  const all = [...rows, ...fresh.filter((row) => readKey(row) === null)]
  // One that is stored by now was judged by nothing, so it is a conflict.
  const result = await writeRecords(tx, entity, all, { ...options, onDuplicate: 'Error' })
  if (result.kind !== null) return result
  await verifyWritten(tx, rule, result.rows, sentOf(result.rows, sent), options.naming)
  return { ...result, counts: { ...result.counts, unchanged: repeated.size } }
}

async function change(
  tx: Db,
  entity: Entity,
  rule: WriteRule | null,
  existing: PreparedRow[],
  { updateStrategy: strategy, naming, now = new Date(), actorName, isNamed, isText }: Options,
) {
  const options = { strategy, now, actorName, isNamed, isText }
  const changed = rule
    ? await updateUnderRule(tx, rule, existing, { ...options, naming })
    : await updateRecords(tx, entity, existing, options)
  if (changed.conflicts) throw new Refused(changed.conflicts)
  return changed
}

/** The rows whose key is stored; their records are locked. */
async function storedAmong(tx: Db, entity: Entity, rows: PreparedRow[]): Promise<PreparedRow[]> {
  const readKey = keyReader(entity)
  const keyed = rows.filter((row) => readKey(row) !== null)
  const missing = indexesOf(keyed.length > 0 ? await lockRecords(tx, entity, keyed) : [])
  return keyed.filter(({ index }) => !missing.has(index))
}

/** The rows whose stored records are hidden, or may not be changed. */
async function blockedAmong(
  tx: Db,
  rule: WriteRule | null,
  stored: PreparedRow[],
): Promise<PreparedRow[]> {
  if (!rule || stored.length === 0) return []
  const verdicts = await judgeStored(tx, rule, stored)
  return stored.filter(({ index }) => {
    const verdict = verdicts.get(index)
    return verdict && !(verdict.isVisible && verdict.isCovered)
  })
}

function failed(rows: readonly PreparedRow[], { kind, ...faults }: Conflicts): WriteResult {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: rows.length }
  const { details: conflicts, count: conflictCount } = faults
  return { counts, kind, conflicts, conflictCount, faults, newExtraFields: [], rows: [] }
}

/** The rows as they came of those that were written: without what policies give. */
function sentOf(written: readonly PreparedRow[], sent: readonly PreparedRow[]): PreparedRow[] {
  const indexes = indexesOf(written)
  return sent.filter(({ index }) => indexes.has(index))
}

const indexesOf = (rows: readonly PreparedRow[]): ReadonlySet<number> =>
  new Set(rows.map(({ index }) => index))
