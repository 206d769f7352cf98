import { type SQL, sql } from 'drizzle-orm'
import { type Actor, decide, isUnlimited, type RecordAction } from '@/lib/auth/rights'
import { type TrashBatchRow, trashBatches, trashRecords } from '@/lib/db/schema'
import { type Db, rows, tableSql, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { AFTER } from '@/lib/records/kept-edits'
import { rowsThatMay } from '@/lib/records/rows-that-may'
import {
  fieldVerdict,
  type WriteRule,
  writeRuleAmong,
  writeVerdict,
} from '@/lib/records/write-rule'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { columnList } from '@/lib/rows/record-columns'
import { readColumns, type TableColumn } from '@/lib/rows/table-constraints'
import { comparedColumns } from '@/lib/search/judge-states'
import { type Rule, ruleOf } from '@/lib/search/rule'
import { fromSql } from '@/lib/search/sql-terms'
import { verdictSql } from '@/lib/search/verdict'
import { entitiesInTrash, notInTrash } from './store'

/**
 * What policies leave a caller of the trash. A deletion is there for those who may see and delete each of its records, as they
 * were, and an edit for those who may see and change each of its records, as they are, in each of its fields.
 */
export type Limits = {
  actor: Actor
  installed: readonly Entity[]
  /** The entities whose batches it does not see as a whole; null: of all others nothing is hidden. */
  limited: ReadonlyMap<string, Limited>
}

type Limited = { entity: Entity | null; columns: readonly TableColumn[] }

/** The limits of `actor` in the trash. */
export async function limitsOf(deps: Deps, actor: Actor): Promise<Limits> {
  const none = { actor, installed: [], limited: new Map<string, Limited>() }
  if (!actor.policies?.length) return none
  const installed = await listEntities(deps)
  const limited = new Map<string, Limited>()
  for (const name of await entitiesInTrash(deps.db)) {
    if (ACTIONS.every((action) => isWhole(actor, name, action))) continue
    const entity = installed.find((one) => one.name === name) ?? null
    const columns = entity ? await readColumns(deps.db, entity.table) : []
    limited.set(name, { entity, columns })
  }
  return { actor, installed, limited }
}

const ACTIONS = ['read', 'write', 'update', 'delete'] as const

/** Whether the action is the same for all records and fields; that it is not allowed is checked elsewhere. */
function isWhole({ roles, policies = [] }: Actor, entity: string, action: RecordAction): boolean {
  const decision = decide(roles, policies, { entity, action })
  const isChecked = decision.role === null && decision.rules.some(({ check, set }) => check || set)
  return !decision.allowed || (isUnlimited(decision) && !isChecked)
}

/** The rule of the caller for records of an entity; null for an entity without limits. */
export const readRuleIn = ({ actor, installed, limited }: Limits, name: string): Rule | null => {
  const entity = limited.get(name)?.entity
  return entity && mayRead(actor, entity) ? ruleOf(actor, entity, 'read', installed) : null
}

/** The fields that each record shows to the caller. */
export function openFields(limits: Limits, name: string): (field: string) => boolean {
  const entity = limits.limited.get(name)?.entity
  const rule = readRuleIn(limits, name)
  return entity ? (field) => fieldVerdict(rule, entity, field) === true : () => true
}

/** The same of writing; `update`: of those that an edit or a deletion changed. */
export const writeRuleIn = (
  { actor, installed, limited }: Limits,
  name: string,
  action: 'write' | 'update',
): WriteRule | null => {
  const entity = limited.get(name)?.entity
  return entity ? writeRuleAmong(actor, entity, action, installed) : null
}

/** Whether a batch is there for the caller, with those that its deletion took along; over `trash_batches`. */
export function isThere(limits: Limits): SQL | undefined {
  if (limits.limited.size === 0) return undefined
  const child = sql.identifier('child')
  return sql`(${isShown(limits, sql`${trashBatches}`)} and not exists (
    select from ${trashBatches} as ${child} where ${child}.root_id = ${trashBatches.id} and ${child}.detached is null
      and not ${isShown(limits, sql`${child}`)}))`
}

/** Throws `not_found` for a batch that is not there for the caller. */
export async function requireThere(db: Db, limits: Limits, { id }: TrashBatchRow): Promise<void> {
  const shown = isThere(limits)
  if (!shown) return
  const query = sql`select from ${trashBatches} where ${trashBatches.id} = ${id}::uuid and ${shown}`
  if ((await rows(db, query)).length === 0) throw notInTrash()
}

/** `batch`: the name of the batch's row in the statement. */
function isShown(limits: Limits, batch: SQL): SQL {
  const cases = [...limits.limited].map(
    ([
      name,
      { entity, columns },
    ]) => sql`when ${batch}.entity = ${name}::text and ${batch}.kind in ('records', 'edit') then
      ${entity ? isShownOf(limits, entity, columns, batch) : sql`false`}`,
  )
  return sql`(case ${sql.join(cases, sql` `)} else true end)`
}

function isShownOf(
  { actor, installed }: Limits,
  entity: Entity,
  columns: readonly TableColumn[],
  batch: SQL,
): SQL {
  const read = mayRead(actor, entity) ? ruleOf(actor, entity, 'read', installed) : null
  const rules = [read, ruleOf(actor, entity, 'delete', installed)]
  const deleted = rules.map((rule) => (rule ? allMeet(entity, rule, columns, batch) : sql`true`))
  const edit = writeRuleAmong(actor, entity, 'update', installed)
  return sql`(case when ${batch}.kind = 'edit' then ${edit ? mayBeUndone(edit, batch) : sql`true`}
    else ${sql.join(deleted, sql` and `)} end)`
}

/** Whether each record of a batch is one that the rule allows: false where it lacks a column that the rule compares. */
function allMeet({ table }: Entity, rule: Rule, columns: readonly TableColumn[], batch: SQL): SQL {
  const compared = comparedColumns(rule)
  const used = columns
    .filter(({ name }) => compared.includes(name))
    .map(({ name, sqlType }) => ({ name, sqlType }))
  const source = sql`jsonb_populate_record(null::${tableSql(table)}, (select jsonb_object_agg(key, value)
    from jsonb_each("$kept".data) where key = any(${textArray(compared)}))) as "$row"`
  return sql`(case when ${batch}.columns @> ${JSON.stringify(used)}::text::jsonb then not exists (
    select from ${trashRecords} as "$kept" where "$kept".batch_id = ${batch}.id and not exists (
      select from ${fromSql({ table }, rule.joins, { source })} where ${verdictSql(rule.rows)})) else false end)`
}

/** Whether the caller may see and change each record of an edit, and each of its fields. */
function mayBeUndone(rule: WriteRule, batch: SQL): SQL {
  const { entity } = rule
  const keys = columnList(entity.keys)
  const key = sql`(select ${keys} from jsonb_populate_record(null::${tableSql(entity.table)}, (select jsonb_object_agg(key, value)
    from jsonb_each("$kept".data) where key = any(${textArray(entity.keys)}))))`
  const names = [
    ...entity.properties.map(({ name }) => name),
    ...(rule.read?.fields.keys() ?? []),
    ...(rule.stored?.fields.keys() ?? []),
  ]
  const isOpen = (name: string) =>
    fieldVerdict(rule.read, entity, name) === true && writeVerdict(rule, name) === true
  const open = names.filter(isOpen)
  const isRestOpen = (rule.read?.rest ?? true) === true && (rule.stored?.rest ?? true) === true
  const field = sql`("$field" = any(${textArray(open)}) or (${isRestOpen} and "$field" <> all(${textArray(names)})))`
  return sql`not exists (select from ${trashRecords} as "$kept" where "$kept".batch_id = ${batch}.id and (
    not exists (select from ${tableSql(entity.table)} where (${keys}) = ${key} and ${rowsThatMay(rule).where})
    or exists (select from jsonb_object_keys("$kept".data -> ${AFTER}) as "$field" where not ${field})))`
}

/** Throws `forbidden` unless each record of a deletion is one that the caller may create. */
export async function requireWritable(db: Db, limits: Limits, batch: TrashBatchRow): Promise<void> {
  const { actor, installed } = limits
  const { entity, columns } = limits.limited.get(batch.entity) ?? {}
  const rule = entity ? ruleOf(actor, entity, 'write', installed, 'written') : null
  if (!entity || !columns || !rule) return
  const met = allMeet(entity, rule, columns, sql`${trashBatches}`)
  const query = sql`select from ${trashBatches} where ${trashBatches.id} = ${batch.id}::uuid and ${met}`
  if ((await rows(db, query)).length > 0) return
  throw new AppError('forbidden', `Policies let you create other records of "${entity.name}" only`)
}
