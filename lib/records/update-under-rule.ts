import type { Db } from '@/lib/db/sql'
import { distinctRows } from '@/lib/rows/distinct-rows'
import type { FieldNaming } from '@/lib/rows/field-naming'
import { type PreparedRow, repacker } from '@/lib/rows/prepared-row'
import { lockRecords, takeTurn } from '@/lib/rows/select-records'
import { type UpdateOptions, type UpdateResult, updateRecords } from '@/lib/rows/update-records'
import { isForced } from './entity-view'
import { judgeStored, type StoredVerdict } from './rows-that-may'
import { namesIn, namesOf } from './rule/conditional-fields'
import { forcedValues, withForced } from './rule/forced-values'
import { type ClosedField, notCovered, refuseClosed } from './rule/refusals'
import { asMerge, keepsFields, keptExtra, replacedFields } from './rule/replacing'
import { verifyWritten } from './verify-written'
import { areReadableInAll, isKnown, readsWhole, type WriteRule, writeVerdict } from './write-rule'

type Options = UpdateOptions & { naming: FieldNaming }

/**
 * As `updateRecords`, with the values that policies give: a record that the caller may not read is missing. Throws
 * `forbidden` for one that it may not change, and as `verifyWritten` does: the transaction is to be rolled back then.
 */
export async function updateUnderRule(
  tx: Db,
  rule: WriteRule,
  rows: PreparedRow[],
  { naming, ...options }: Options,
): Promise<UpdateResult> {
  const { entity } = rule
  const forced = await forcedValues(rule, options.now)
  const sent = withRemoved(rows, options.removed ?? [])
  if (rows.length > 1) await takeTurn(tx, entity)
  await lockRecords(tx, entity, rows)
  const isMerged = options.strategy === 'Replace' && keepsFields(rule)
  const verdicts = await judgeStored(tx, rule, sent, isMerged ? replacedFields(rule) : [])
  const missing = rows.filter(({ index }) => !verdicts.get(index)?.isVisible)
  if (missing.length > 0) return { ...NOTHING, missing, rows }
  if ([...verdicts.values()].some(({ isCovered }) => !isCovered)) throw notCovered(rule)
  refuseClosed(rule, closedIn(rule, sent, verdicts), naming)
  const isNamed = (name: string) => isKnown(rule, name)
  const all = withForced(rule, rows, forced)
  const isTold =
    options.strategy === 'Replace'
      ? readsWhole(rule)
      : areReadableInAll(rule, namesIn([...all, ...sent]))
  const how = { ...options, isNamed, writesSame: !isTold }
  const result = isMerged
    ? await merge(tx, rule, all, verdicts, how)
    : await updateRecords(tx, entity, all, how)
  if (!result.conflicts) await verifyWritten(tx, rule, result.rows, sent, naming, verdicts)
  return result
}

const NOTHING = {
  counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
  conflicts: null,
  newExtraFields: [],
}

/** Fields that are removed are written, too. */
function withRemoved(rows: PreparedRow[], removed: readonly string[]): PreparedRow[] {
  if (removed.length === 0) return rows
  const nulls = Object.fromEntries(removed.map((name) => [name, null]))
  return rows.map(({ index, values, extra }) => ({ index, values, extra: { ...extra, ...nulls } }))
}

/** The fields that rows bring and that may not be written in their records. */
function closedIn(
  rule: WriteRule,
  rows: readonly PreparedRow[],
  verdicts: ReadonlyMap<number, StoredVerdict>,
): ClosedField[] {
  return rows.flatMap((row) => {
    const closed = new Set(verdicts.get(row.index)?.closed)
    return namesOf(row)
      .filter((name) => !isForced(rule, name))
      .filter((name) => closed.has(name) || writeVerdict(rule, name) === false)
      .map((name) => ({ index: row.index, name }))
  })
}

/** A replacement that keeps the fields which the caller may not write. */
async function merge(
  tx: Db,
  rule: WriteRule,
  rows: PreparedRow[],
  verdicts: ReadonlyMap<number, StoredVerdict>,
  options: UpdateOptions,
): Promise<UpdateResult> {
  const { entity } = rule
  const repack = repacker(entity)
  const distinct = await distinctRows(entity, rows, 'Upsert', 'Replace')
  const merged = distinct.rows.map((row) =>
    repack(row, asMerge(rule, row, new Set(verdicts.get(row.index)?.closed))),
  )
  const how = { ...options, strategy: 'Upsert', kept: keptExtra(rule) } as const
  const result = await updateRecords(tx, entity, merged, how)
  const unchanged = result.counts.unchanged + distinct.repeated.size
  return { ...result, counts: { ...result.counts, unchanged } }
}
