import type { Db } from '@/lib/db/sql'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { FieldNaming } from '@/lib/rows/record-faults'
import { verdictSql } from '@/lib/search/verdict'
import { conditionalFields, namesIn, namesOf } from './rule/conditional-fields'
import { judgeRows } from './rule/judge'
import { type ClosedField, notAllowed, refuseClosed } from './rule/refusals'
import type { WriteRule } from './write-rule'

/**
 * Throws `forbidden` when a record that was just written is none that the rule allows, and as `refuseClosed` for fields of
 * `sent`, the rows as they came, that may not be written in such a record: the transaction is to be rolled back.
 */
export async function verifyWritten(
  tx: Db,
  rule: WriteRule | null,
  written: PreparedRow[],
  sent: readonly PreparedRow[],
  naming: FieldNaming,
): Promise<void> {
  if (!rule?.written || written.length === 0) return
  const { rows, joins } = rule.written
  const fields = conditionalFields(rule.written, rule, namesIn(sent))
  const conditions = [verdictSql(rows), ...fields.map(({ condition }) => condition)]
  const held = await judgeRows(tx, rule.entity, written, { joins, conditions })
  if (written.some(({ index }) => !held.get(index)?.[0])) throw notAllowed(rule)
  const closed = sent.flatMap((row): ClosedField[] => {
    const names = new Set(namesOf(row))
    return fields
      .filter(({ name }, at) => names.has(name) && held.get(row.index)?.[at + 1] === false)
      .map(({ name }) => ({ index: row.index, name }))
  })
  refuseClosed(rule, closed, naming)
}
