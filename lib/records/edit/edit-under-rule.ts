import { type SQL, sql } from 'drizzle-orm'
import { type Db, one, rows as rowsOf, tableSql } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { targetOf } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList } from '@/lib/rows/record-columns'
import { fromSql } from '@/lib/search/sql-terms'
import type { JsonObject } from '@/lib/values/json'
import { closedFields } from '../check-written-fields'
import { isForced, readableView, viewOf } from '../entity-view'
import { judgeStored } from '../rows-that-may'
import { conditionalFields } from '../rule/conditional-fields'
import { forcedValues } from '../rule/forced-values'
import { refuseClosed } from '../rule/refusals'
import { type Before, verifyWritten } from '../verify-written'
import { isKnown, isReadable, isReadableInAll, type WriteRule } from '../write-rule'
import { type Edit, readSet } from './read-set'

/** The fields that a caller sets, without those that policies set. */
export const sentFields = (rule: WriteRule, set: JsonObject): string[] =>
  Object.keys(set).filter((name) => !isForced(rule, name))

/**
 * As `readSet`, with the values that policies give. Throws `forbidden` for fields that may be read but not written, and for
 * values that are made of others than each record shows; fields that may be neither are unknown.
 */
export async function readSetUnder(rule: WriteRule, set: JsonObject, now: Date): Promise<Edit> {
  const forced = await forcedValues(rule, now)
  const names = sentFields(rule, set)
  const sent = Object.fromEntries(names.map((name) => [name, set[name] ?? null]))
  refuseClosed(rule, closedFields(rule, [sent]), 'single', 'set.')
  const isForcedAlone = names.length === 0 && Object.keys(set).length > 0
  const edit = isForcedAlone ? NOTHING : await readSet(viewOf(rule), sent, now, readableView(rule))
  for (const { from } of edit.expressions.values()) requireSource(rule, from)
  if (!forced) return edit
  const { values, extra } = edit.constants
  return {
    ...edit,
    fields: [...edit.fields, ...Object.keys(forced.values), ...Object.keys(forced.extra ?? {})],
    constants: {
      index: 0,
      values: { ...values, ...forced.values },
      extra: extra || forced.extra ? { ...extra, ...forced.extra } : null,
    },
  }
}

const NOTHING: Edit = {
  fields: [],
  constants: { index: 0, values: {}, extra: null },
  expressions: new Map(),
  removed: [],
}

/** A record that does not show the field would tell of it. */
function requireSource(rule: WriteRule, name: string): void {
  if (isReadableInAll(rule, name)) return
  const where = isReadable(rule, name) ? ' in all records' : ''
  throw new AppError(
    'forbidden',
    `A value made of ${JSON.stringify(name)} needs the right to read it${where}`,
  )
}

/** Throws as `refuseClosed` does when one of the records that match, which are locked, does not let the caller write a field. */
export async function requireOpenIn(
  tx: Db,
  rule: WriteRule,
  where: SQL,
  names: readonly string[],
): Promise<void> {
  const { entity, stored } = rule
  const fields = conditionalFields(stored, rule, names)
  if (fields.length === 0) return
  const keys = columnList(entity.keys)
  const closed = fields.map(({ condition }) => sql`coalesce(bool_or(not ${condition}), false)`)
  const query = sql`select json_build_array(${sql.join(closed, sql`, `)}) as closed
    from ${fromSql(targetOf(entity), stored?.joins)}
    where (${keys}) in (select ${keys} from ${tableSql(entity.table)} where ${where})`
  const found = one(await rowsOf<{ closed: boolean[] }>(tx, query)).closed
  const refused = fields.filter((_, at) => found[at]).map(({ name }) => ({ name }))
  refuseClosed(rule, refused, 'single', 'set.')
}

/** Throws as `verifyWritten` does for records that were edited. */
export async function verifyEdited(
  tx: Db,
  rule: WriteRule,
  rows: PreparedRow[],
  names: readonly string[],
  before: Before,
): Promise<void> {
  const values = Object.fromEntries(names.map((name) => [name, null]))
  const sent = rows.map(({ index }) => ({ index, values, extra: null }))
  await verifyWritten(tx, rule, rows, sent, 'single', before)
}

/** The fields that messages may name, and what `verifyEdited` needs to know of records before they are changed. */
export const judging = (tx: Db, rule: WriteRule) => ({
  isNamed: (name: string) => isKnown(rule, name),
  ...(rule.grants ? { judge: (rows: PreparedRow[]) => judgeStored(tx, rule, rows) } : {}),
})
