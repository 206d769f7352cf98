import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { type SearchTarget, targetOf } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList } from '@/lib/rows/record-columns'
import type { ConditionsInput } from '@/lib/search/read-input'
import { resolveMatchesHere, resolveWhere } from '@/lib/search/resolve-search'
import type { Resolved } from '@/lib/search/resolved'
import { fromSql, type Join } from '@/lib/search/sql-terms'
import { whereSql } from '@/lib/search/to-sql'
import { all, conditionsOf, verdictSql } from '@/lib/search/verdict'
import { recordNotFound } from './record-where'
import { conditionalFields, namesIn, namesOf } from './rule/conditional-fields'
import { judgeGrants, judgeRecord, judgeRows } from './rule/judge'
import { notCovered } from './rule/refusals'
import { fieldVerdict, type WriteRule } from './write-rule'

/** Records as a condition on their own columns, and as a search, which says what it costs. */
export type Selected = {
  where: SQL
  target: SearchTarget
  search: { where: Resolved[]; joins: Join[] }
  /** Besides the conditions that were given, a rule says which. */
  isLimited: boolean
}

const NONE: ConditionsInput = { conditions: [], conditionsName: 'query' }

/**
 * The records that match and that the caller may read and change or delete. Throws as `resolveSearch` does: fields that the
 * caller may not read are unknown. `fields`: those that are changed.
 */
export function rowsThatMay(
  rule: WriteRule,
  input: ConditionsInput = NONE,
  fields: readonly string[] = [],
): Selected {
  const { entity, visible, stored, actor } = rule
  const target = { ...(visible ?? targetOf(entity)), reader: actor.userId }
  const search = resolveMatchesHere(target, input)
  const verdict = stored
    ? all([stored.rows, ...fields.map((name) => fieldVerdict(stored, entity, name))])
    : true
  const allowed = stored ? [restricted(rule, conditionsOf(verdict), stored.joins)] : []
  const conditions = [restricted(rule, search.where, search.joins), ...allowed]
  const where = sql`(${sql.join(conditions, sql` and `)})`
  return { where, target, search, isLimited: true }
}

/**
 * The condition for the record that the caller may change, among those that it reads: what is hidden is neither found nor
 * locked, in no other time than what does not exist. Nodes of a cluster lock for no statement with other tables.
 */
export function shownWhere(rule: WriteRule | null, where: SQL): SQL {
  const { visible, entity } = rule ?? {}
  if (!rule || !visible?.rule || entity?.isDistributed) return where
  return sql`${where} and ${restricted(rule, visible.rule.where, visible.rule.joins)}`
}

/** The conditions on the table alone: where they reach beyond it, by the keys of the records that meet them. */
function restricted({ entity }: WriteRule, conditions: Resolved[], joins: readonly Join[]): SQL {
  const where = whereSql(conditions)
  if (joins.length === 0) return where
  const keys = columnList(entity.keys)
  return sql`(${keys}) in (select ${keys} from ${fromSql(targetOf(entity), joins)} where ${where})`
}

/** All records that match, where no rule says which the caller may change. */
export function allRows(entity: Entity, input: ConditionsInput, actor: Actor): Selected {
  const target = { ...targetOf(entity), reader: actor.userId }
  const where = resolveWhere(target, input)
  return { where: whereSql(where), target, search: { where, joins: [] }, isLimited: false }
}

/** What a rule says of a record as it is stored: whether it is shown, whether it may be changed, and the fields that may not. */
export type StoredVerdict = {
  isVisible: boolean
  isCovered: boolean
  closed: string[]
  /** Which policies allow the change; of `grants` of the rule. */
  grants: boolean[]
}

/**
 * For the only record that matches `where`, which is locked: throws `not_found` where the caller may not read it, and
 * `forbidden` where it may not change or delete it.
 */
export async function requireRecord(
  tx: Db,
  rule: WriteRule,
  where: SQL,
  id: string,
): Promise<void> {
  const { entity, visible, stored } = rule
  const holds = async (joins: readonly Join[], condition: SQL) =>
    (await judgeRecord(tx, entity, where, { joins, conditions: [condition] }))?.[0] === true
  if (visible?.rule && !(await holds(visible.rule.joins, visible.rule.sql)))
    throw recordNotFound(entity.name, id)
  if (stored && !(await holds(stored.joins, verdictSql(stored.rows)))) throw notCovered(rule)
}

/** What the rule says of the stored records of rows, by the index of the row, and of those of `also` besides the fields of a row. */
export async function judgeStored(
  tx: Db,
  rule: WriteRule,
  rows: PreparedRow[],
  also: readonly string[] = [],
): Promise<Map<number, StoredVerdict>> {
  const { entity, visible, stored } = rule
  const shown = visible?.rule
    ? await judgeRows(tx, entity, rows, {
        joins: visible.rule.joins,
        conditions: [visible.rule.sql],
      })
    : null
  const fields = conditionalFields(stored, rule, [...new Set([...namesIn(rows), ...also])])
  const conditions = stored
    ? [verdictSql(stored.rows), ...fields.map(({ condition }) => condition)]
    : [sql`true`]
  const covered = await judgeRows(tx, entity, rows, { joins: stored?.joins ?? [], conditions })
  const granting = await judgeGrants(tx, rule, rows, rule.grants?.stored)
  return new Map(
    rows.flatMap((row): [number, StoredVerdict][] => {
      const held = covered.get(row.index)
      if (!held) return []
      const isVisible = shown === null || shown.get(row.index)?.[0] === true
      const brought = new Set([...namesOf(row), ...also])
      const closed = fields.filter(({ name }, at) => brought.has(name) && !held[at + 1])
      const grants = granting.get(row.index) ?? []
      const isCovered = held[0] === true
      return [[row.index, { isVisible, isCovered, closed: closed.map(nameOf), grants }]]
    }),
  )
}

const nameOf = ({ name }: { name: string }) => name
