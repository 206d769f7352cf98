import { type SQL, sql } from 'drizzle-orm'
import { type Actor, decide, isUnlimited, type RecordAction } from '@/lib/auth/rights'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { type TrashBatchRow, trashBatches } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { fieldVerdict, type WriteRule, writeRuleAmong } from '@/lib/records/write-rule'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { readColumns, type TableColumn } from '@/lib/rows/table-constraints'
import { comparedColumns } from '@/lib/search/judge-states'
import { type Rule, ruleOf } from '@/lib/search/rule'
import { entitiesInTrash, notInTrash } from './store'
import { columnsOf, unlikeDeletions, unlikeEdits } from './unlike-batches'

/**
 * What policies leave a caller of the trash. A deletion is there for those who may see and delete each of its records, as they
 * were, and an edit for those who may see and change each of its records, as they are, in each of its fields; an import also
 * for those alone who may see and delete each record that it created, as it is.
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
  action: 'write' | 'update' | 'delete',
): WriteRule | null => {
  const entity = limited.get(name)?.entity
  return entity ? writeRuleAmong(actor, entity, action, installed) : null
}

/** Whether a batch is there for the caller, with those that its deletion took along; over `trash_batches`. `only`: it is this one. */
export function isThere(limits: Limits, only?: string): SQL | undefined {
  if (limits.limited.size === 0) return undefined
  const child = sql.identifier('child')
  return sql`(${isShown(limits, sql`${trashBatches}`, only)} and not exists (
    select from ${trashBatches} as ${child} where ${child}.root_id = ${trashBatches.id} and ${child}.detached is null
      and not ${isShown(limits, sql`${child}`, only)}))`
}

/** Throws `not_found` for a batch that is not there for the caller. */
export async function requireThere(db: Db, limits: Limits, { id }: TrashBatchRow): Promise<void> {
  const shown = isThere(limits, id)
  if (!shown) return
  // What follows may change tables of a cluster that this reads in parallel.
  if (limits.installed.some(({ isDistributed }) => isDistributed))
    await db.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
  const query = sql`select from ${trashBatches} where ${trashBatches.id} = ${id}::uuid and ${shown}`
  if ((await rows(db, query)).length === 0) throw notInTrash()
}

/** `batch`: the name of the batch's row in the statement. */
function isShown(limits: Limits, batch: SQL, only?: string): SQL {
  const cases = [...limits.limited].map(
    ([
      name,
      { entity, columns },
    ]) => sql`when ${batch}.entity = ${name}::text and ${batch}.kind in ('records', 'edit', 'import') then
      ${entity ? isShownOf(limits, entity, columns, batch, only) : sql`false`}`,
  )
  return sql`(case ${sql.join(cases, sql` `)} else true end)`
}

function isShownOf(
  { actor, installed }: Limits,
  entity: Entity,
  columns: readonly TableColumn[],
  batch: SQL,
  only: string | undefined,
): SQL {
  const read = mayRead(actor, entity) ? ruleOf(actor, entity, 'read', installed) : null
  const rules = [read, ruleOf(actor, entity, 'delete', installed)]
  const deleted = rules.map((rule) =>
    rule ? allMeet(entity, rule, columns, batch, only) : sql`true`,
  )
  const undone = (action: 'update' | 'delete') => {
    const rule = writeRuleAmong(actor, entity, action, installed)
    return rule ? allMayBeUndone(rule, columns, batch, only) : sql`true`
  }
  const [edited, removed] = [undone('update'), undone('delete')]
  return sql`(case ${batch}.kind when 'edit' then ${edited} when 'import' then ${edited} and ${removed}
    else ${sql.join(deleted, sql` and `)} end)`
}

/** Whether each record of a batch is one that the rule allows: false where it lacks a column that the rule compares. */
function allMeet(
  entity: Entity,
  rule: Rule,
  columns: readonly TableColumn[],
  batch: SQL,
  only?: string,
): SQL {
  const compared = comparedColumns(rule)
  const used = columns.filter(({ name }) => compared.includes(name))
  const fits = (one: SQL) => columnsOf(one, used)
  return sql`(${fits(batch)} and ${batch}.id not in (${unlikeDeletions(entity, rule, { used, fits, only })}))`
}

/** Whether each record of an edit or import is one that the caller may change, or delete where that is the rule's action and an import created it: false where the key is of another type now. */
function allMayBeUndone(
  rule: WriteRule,
  columns: readonly TableColumn[],
  batch: SQL,
  only?: string,
): SQL {
  const keys = columns.filter(({ name }) => rule.entity.keys.includes(name))
  const fits = (one: SQL) => columnsOf(one, keys)
  return sql`(${fits(batch)} and ${batch}.id not in (${unlikeEdits(rule, { fits, only })}))`
}

/** Throws `forbidden` unless each record of a deletion is one that the caller may create. */
export async function requireWritable(db: Db, limits: Limits, batch: TrashBatchRow): Promise<void> {
  const { actor, installed } = limits
  const { entity, columns } = limits.limited.get(batch.entity) ?? {}
  const rule = entity ? ruleOf(actor, entity, 'write', installed, 'written') : null
  if (!entity || !columns || !rule) return
  const met = allMeet(entity, rule, columns, sql`${trashBatches}`, batch.id)
  const query = sql`select from ${trashBatches} where ${trashBatches.id} = ${batch.id}::uuid and ${met}`
  if ((await rows(db, query)).length > 0) return
  throw new AppError('forbidden', `Policies let you create other records of "${entity.name}" only`)
}
