import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { readCluster } from '@/lib/db/cluster'
import { isUniqueViolation } from '@/lib/db/errors'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity, Property, TableName } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { recordChange } from '@/lib/totals/keep-total'
import { type ArchivePosition, changesAfter, changesBefore } from './archive-position'
import { settleGroups } from './contradiction-groups'
import type { DdlStep, StepOf } from './ddl-step'
import { type Contradictions, findContradictions, withLater } from './find-contradictions'
import { placeTables } from './placement/place-tables'
import type { TableChange } from './plan-change'
import {
  desiredReferences,
  type EnforcedReference,
  type LooseReference,
  planReferences,
} from './plan-references'
import { followVersions } from './renames/follow-versions'
import { renameReferences } from './renames/renamed-table'
import { toSql } from './step-to-sql'
import { referringEntities, storedReferences } from './stored-references'

/**
 * Carries out changes of tables and of the foreign keys between all entities. The registry must
 * already hold the new state. Returns every step done; throws `DefinitionError` when stored values
 * contradict one. `followers` are changes that follow from the `own` ones, which alone are noted.
 * References that are not enforced are noted once both sides are as in the archive.
 */
export async function changeTables(
  tx: Db,
  own: readonly TableChange[],
  { position, followers }: { position?: ArchivePosition; followers: readonly TableChange[] },
): Promise<{ steps: DdlStep[]; notes: string[] }> {
  const changes = [...own, ...followers]
  const referring = await referringEntities(tx)
  const graph = desiredReferences(referring)
  const recreated = changes.flatMap(({ steps }) =>
    steps.filter(({ type }) => type === 'drop-table').map(({ table }) => table),
  )
  const renamed = changes.flatMap(({ renames }) => renames?.steps ?? [])
  await run(tx, renamed)
  for (const change of changes) await followVersions(tx, change)
  // Citus renames no foreign key; those of former names make way for new ones.
  if (renamed.length > 0 && !(await readCluster(tx))) await renameReferences(tx, graph.enforced)
  const placed = changes.map((change) => ({
    after: change.after,
    former: formerTable(change),
    isNew: isCreation(change),
    isRebuilt: change.steps.some(({ type }) => NOT_ON_NODES.has(type)),
    retyped: retypedColumns(change).map(({ column }) => column),
  }))
  const placing = await placeTables(tx, placed, referring, graph.enforced)
  const { drop, add } = planReferences(
    await storedReferences(tx),
    graph.enforced,
    { recreated: [...recreated, ...placing.moved], retyped: changes.flatMap(retypedColumns) },
    (entity, column) => isNewReference(changes, entity, column),
  )
  await placing.prepare()
  await run(tx, drop)
  await placing.leave()
  const done: DdlStep[] = []
  for (const change of changes) {
    const { steps, before, after, renames } = change
    done.push(...(await run(tx, steps, change)))
    if (before && (steps.length > 0 || renames)) await tx.execute(recordChange(after.table))
  }
  done.push(...(await placing.settle()))
  const added = await addReferences(tx, add, graph.enforced, changes)
  const loose = looseNotes(graph.loose, own, position, droppedFields(drop, referring))
  return {
    steps: [...renamed, ...withoutRebuilt([...drop, ...done, ...added.steps])],
    notes: [...loose, ...added.notes],
  }
}

/** What Citus does to no table that is on several nodes. */
const NOT_ON_NODES = new Set<DdlStep['type']>(['drop-generated', 'add-generated', 'keep-computed'])

const isCreation = ({ steps }: TableChange) => steps.some(({ type }) => type === 'create-table')

const formerTable = ({ renames, after }: TableChange): TableName =>
  renames?.steps.find(({ type }) => type === 'rename-table')?.table ?? after.table

const retypedColumns = ({ steps }: TableChange) =>
  steps.flatMap((step) =>
    step.type === 'change-type' ? [{ table: step.table, column: step.from.name }] : [],
  )

/** A foreign key that only made way for the change of a type stays, for people. */
function withoutRebuilt(steps: readonly DdlStep[]): DdlStep[] {
  const named = (type: DdlStep['type']) =>
    steps.flatMap((step) => (step.type === type && 'reference' in step ? step.reference.name : []))
  const [dropped, added] = [new Set(named('drop-reference')), new Set(named('add-reference'))]
  return steps.filter(
    (step) =>
      !('reference' in step) ||
      !dropped.has(step.reference.name) ||
      !added.has(step.reference.name),
  )
}

function isNewReference(changes: readonly TableChange[], entity: string, column: string): boolean {
  const change = changes.find(({ after }) => after.name === entity)
  if (!change) return false
  const of = (properties: readonly Property[] = []) =>
    properties.find(({ name }) => name === column)?.rules.reference
  return !isDeepStrictEqual(of(change.before?.entity.properties), of(change.after.properties))
}

const incompatible = (
  { details, count, groups }: Contradictions,
  change: TableChange | null,
  earlier: readonly DdlStep[],
) =>
  new DefinitionError('Incompatible change', details, count, settleGroups(groups, change, earlier))

/** Returns the steps as they were done. `change`: of one table, whose primary key is that before it. */
async function run(
  tx: Db,
  steps: readonly DdlStep[],
  change: TableChange | null = null,
): Promise<DdlStep[]> {
  const done: DdlStep[] = []
  let current: readonly string[] = change ? (change.before?.entity ?? change.after).keys : []
  for (const [at, step] of steps.entries()) {
    const found = await findContradictions(tx, step, current)
    if (found.count > 0)
      throw incompatible(await withLater(tx, found, steps.slice(at), current), change, done)
    await carryOut(tx, step)
    done.push(step.type === 'hide-column' ? { ...step, values: await countValues(tx, step) } : step)
    if (step.type === 'create-table') current = step.primaryKey
  }
  return done
}

async function countValues(tx: Db, { table, column }: StepOf<'hide-column'>): Promise<number> {
  const query = sql`select count(${sql.identifier(column)})::float8 as total from ${tableSql(table)}`
  return one(await rows<{ total: number }>(tx, query)).total
}

/** A unique violation is only found by the database: it concerns several values together. */
async function carryOut(tx: Db, step: DdlStep): Promise<void> {
  try {
    for (const statement of toSql(step)) await tx.execute(statement)
  } catch (error) {
    if (step.type !== 'change-type' || !isUniqueViolation(error)) throw error
    const { name, type } = step.property
    const message = `Two records would become the same with ${name} as ${type}`
    throw new DefinitionError('Incompatible change', [{ message }])
  }
}

/**
 * A reference whose target is installed after the records that refer to it is enforced only for
 * later writes when those records contradict it.
 */
async function addReferences(
  tx: Db,
  steps: readonly StepOf<'add-reference'>[],
  enforced: readonly EnforcedReference[],
  changes: readonly TableChange[],
): Promise<{ steps: DdlStep[]; notes: string[] }> {
  const done: DdlStep[] = []
  const notes: string[] = []
  for (const step of steps) {
    const { table, reference } = step
    const known = enforced.find((one) => one.reference.name === reference.name)
    const dangling = await findContradictions(tx, { ...step, strict: true }, known?.keys ?? [])
    const change = changes.find(({ after }) => isDeepStrictEqual(after.table, table)) ?? null
    if (step.strict && dangling.count > 0) throw incompatible(dangling, change, change?.steps ?? [])
    const decided = { ...step, strict: dangling.count === 0 }
    for (const statement of toSql(decided)) await tx.execute(statement)
    done.push(decided)
    if (!decided.strict)
      notes.push(
        `${table.schema}.${table.name} has values of ${reference.columns.join(', ')} that refer to nothing; they stay, new ones are checked`,
      )
  }
  return { steps: done, notes }
}

/** What people are told about references of `changes`, or to them, that are not enforced. */
function looseNotes(
  loose: readonly LooseReference[],
  changes: readonly TableChange[],
  position: ArchivePosition | undefined,
  dropped: ReadonlySet<string>,
): string[] {
  const changed = new Set(changes.map(({ after }) => after.name))
  const created = new Set(changes.flatMap(({ before, after }) => (before ? [] : [after.name])))
  return loose.flatMap(({ entity, property, target, reason }) => {
    const isOwn = changed.has(entity)
    const isDropped = dropped.has(`${entity}.${property}`)
    const isDue = changed.has(target) && changesBefore(position, entity)
    if (isOwn ? changesAfter(position, target) : !created.has(target) && !isDropped && !isDue)
      return []
    const name = isOwn ? property : `${entity}.${property}`
    return [`The reference of ${name} is ${isDropped ? 'no longer' : 'not'} enforced: ${reason}`]
  })
}

/** The fields, with their entities, whose foreign keys are dropped. */
const droppedFields = (drop: readonly StepOf<'drop-reference'>[], referring: readonly Entity[]) =>
  new Set(
    referring.flatMap(({ name, table }) =>
      drop
        .filter((step) => step.table.schema === table.schema && step.table.name === table.name)
        .map(({ reference }) => `${name}.${reference.columns[0]}`),
    ),
  )
