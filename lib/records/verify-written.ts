import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { FieldNaming } from '@/lib/rows/field-naming'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { Grants } from '@/lib/search/grants'
import { names } from '@/lib/search/rule'
import { verdictSql } from '@/lib/search/verdict'
import { isForced } from './entity-view'
import type { StoredVerdict } from './rows-that-may'
import { conditionalFields, namesIn, namesOf } from './rule/conditional-fields'
import { judgeGrants, judgeRows } from './rule/judge'
import { type ClosedField, notAllowed, refuseClosed } from './rule/refusals'
import type { WriteRule } from './write-rule'

/** What was judged of the records before they were changed, by the index of the row. */
export type Before = ReadonlyMap<number, Pick<StoredVerdict, 'grants'>>

/** Of records that a rule does not allow, by the indexes of their rows. */
export class NotAllowedError extends AppError {
  constructor(
    rule: WriteRule,
    readonly indexes: ReadonlySet<number>,
  ) {
    const { code, message } = notAllowed(rule)
    super(code, message)
  }
}

/**
 * Throws `forbidden` when a record that was just written is none that the rule allows, and as `refuseClosed` for fields of
 * `sent`, the rows as they came, that may not be written in such a record: the transaction is to be rolled back. A policy
 * that allows a change must do so by the record `before` and after it.
 */
export async function verifyWritten(
  tx: Db,
  rule: WriteRule | null,
  written: PreparedRow[],
  sent: readonly PreparedRow[],
  naming: FieldNaming,
  before: Before = new Map(),
): Promise<void> {
  if (!rule?.written || written.length === 0) return
  const { rows, joins } = rule.written
  const brought = namesIn(sent).filter((name) => !isForced(rule, name))
  const fields = conditionalFields(rule.written, rule, brought)
  const conditions = [verdictSql(rows), ...fields.map(({ condition }) => condition)]
  const held = await judgeRows(tx, rule.entity, written, { joins, conditions })
  const refused = written.filter(({ index }) => !held.get(index)?.[0])
  if (refused.length > 0)
    throw new NotAllowedError(rule, new Set(refused.map(({ index }) => index)))
  const closed = sent.flatMap((row): ClosedField[] => {
    const own = new Set(namesOf(row))
    return fields
      .filter(({ name }, at) => own.has(name) && held.get(row.index)?.[at + 1] === false)
      .map(({ name }) => ({ index: row.index, name }))
  })
  refuseClosed(rule, closed, naming)
  if (rule.grants && before.size > 0) {
    const after = await judgeGrants(tx, rule, written, rule.grants.written)
    refuseClosed(rule, ungranted(rule, rule.grants.written, sent, before, after), naming)
  }
}

/** The fields that no policy grants which allows the change. Throws `forbidden` when none does. */
function ungranted(
  rule: WriteRule,
  { list }: Grants,
  sent: readonly PreparedRow[],
  before: Before,
  after: ReadonlyMap<number, boolean[]>,
): ClosedField[] {
  const { keys } = rule.entity
  return sent.flatMap((row) => {
    const [old, now] = [before.get(row.index)?.grants, after.get(row.index)]
    // A row that repeats the key of an earlier one.
    if (!now) return []
    const allowing = list.filter((_, at) => old?.[at] && now[at])
    if (allowing.length === 0) throw new NotAllowedError(rule, new Set([row.index]))
    return namesOf(row)
      .filter((name) => !keys.includes(name) && !isForced(rule, name))
      .filter((name) => !allowing.some(({ policy }) => names(policy, name)))
      .map((name) => ({ index: row.index, name }))
  })
}
