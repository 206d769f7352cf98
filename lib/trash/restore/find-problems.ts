import { type SQL, sql } from 'drizzle-orm'
import { turnGiver } from '@/lib/async/turns'
import { type TrashBatchRow, trashRecords } from '@/lib/db/schema'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import type { Entity, Property } from '@/lib/definitions/definition'
import { valueFault } from '@/lib/definitions/value-fault'
import {
  readConstraints,
  type TableColumn,
  type TableConstraints,
  type UniqueConstraint,
} from '@/lib/rows/table-constraints'
import { tightenedRules } from '@/lib/tables/plan-columns'
import type { RestorePlan } from './prepare-restoration'
import { problemSql, recordProblems, recordStoredProblems, restoredRows } from './restored-rows'
import {
  columnChecks,
  loneRows,
  noneNull,
  type RowCheck,
  restored,
  ruleChecks,
  storedProblems,
  valuesJson,
} from './row-checks'

export type Restoration = {
  entity: Entity
  batch: TrashBatchRow
  plan: RestorePlan
  columns: TableColumn[]
}

/**
 * Records for each record of a batch why it can't be restored now. The result holds for this moment:
 * a key may be taken before it is used. `thorough`: also finds values that two records of the batch
 * share, which can only be a problem when a constraint was added after the deletion.
 */
export async function findProblems(
  tx: Db,
  restoration: Restoration,
  { thorough }: { thorough: boolean },
): Promise<void> {
  const { entity, batch, plan, columns } = restoration
  const restoredNames = new Set(plan.columns.map(({ name }) => name))
  const constraints = constraintsOn(restoredNames, await readConstraints(tx, entity))
  const filled = columns.filter(({ name }) => restoredNames.has(name))
  const rows = restoredRows(batch, plan)
  const checks = [...ruleChecks(entity, batch, restoredNames), ...columnChecks(entity, filled)]
  // The planner's statistics may describe other batches: for one it takes to be small, it joins row by row.
  await tx.execute(sql`analyze ${trashRecords}`)
  await recordProblems(tx, batch.id, checkRows(rows, checks))
  for (const found of storedProblems(rows, entity, constraints))
    await recordStoredProblems(tx, restoration, found)
  await findTextProblems(tx, restoration)
  for (const constraint of thorough ? constraints.unique : [])
    await recordProblems(tx, batch.id, repeatedRows(rows, constraint))
  const own = constraints.foreign.filter(({ isSelf }) => isSelf)
  // Records that can't be restored may be the targets of others in the batch.
  for (let found = 1; found > 0 && own.length > 0; ) {
    found = 0
    for (const key of own) found += await recordStoredProblems(tx, restoration, loneRows(rows, key))
  }
}

/** Without those on columns that the database generates. */
function constraintsOn(restoredNames: Set<string>, { unique, foreign }: TableConstraints) {
  const isRestored = ({ columns }: { columns: string[] }) =>
    columns.every((name) => restoredNames.has(name))
  return { unique: unique.filter(isRestored), foreign: foreign.filter(isRestored) }
}

function checkRows(rows: SQL, checks: RowCheck[]): SQL {
  const branches = checks.map(({ when, problem }) => sql`when ${when} then ${problem}`)
  const checked = checks.length > 0 ? sql`case ${sql.join(branches, sql` `)} end` : sql`null::jsonb`
  return sql`select n."$id", coalesce(n."$misfit", ${checked}) as problem from (${rows}) as n`
}

/** All but the first of the records with the same values, where a constraint was added later. */
function repeatedRows(rows: SQL, { columns, isPrimary }: UniqueConstraint): SQL {
  const values = sql.join(columns.map(restored), sql`, `)
  const problem = problemSql(isPrimary ? 'key-taken' : 'unique-taken', columns, sql`p."$value"`)
  return sql`
    select p."$id", ${problem} as problem from (
      select n."$id", ${valuesJson(columns)} as "$value",
        row_number() over (partition by ${values} order by n."$id") as "$position"
      from (${rows}) as n where ${noneNull(columns)}
    ) as p where p."$position" > 1`
}

const BATCH_SIZE = 5_000

/** Checks patterns and formats added after the deletion, in batches: the database has no safe matching. */
async function findTextProblems(tx: Db, restoration: Restoration): Promise<void> {
  const { entity, batch, plan } = restoration
  for (const property of entity.properties) {
    const before = batch.properties.find(({ name }) => name === property.name)
    const rules = tightenedRules(before, property)
    const isFilled = plan.columns.some(({ name }) => name === property.name)
    if (isFilled && (rules.includes('pattern') || rules.includes('format')))
      await findIn(tx, restoration, property)
  }
}

type Text = { id: string; value: string }

async function findIn(tx: Db, { batch, plan }: Restoration, property: Property): Promise<void> {
  const column = sql`n.${sql.identifier(property.name)}`
  const giveTurn = turnGiver()
  for (let after = '0', size = BATCH_SIZE; size === BATCH_SIZE; ) {
    const texts = await rowsOf<Text>(
      tx,
      sql`select n."$id"::text as id, ${column} as value from (${restoredRows(batch, plan)}) as n
          where n."$id" > ${after}::bigint and ${column} is not null order by n."$id" limit ${sql.raw(String(BATCH_SIZE))}`,
    )
    const wrong: Text[] = []
    for (const text of texts) {
      if (valueFault(property, text.value) !== null) wrong.push(text)
      await giveTurn()
    }
    if (wrong.length > 0) {
      const problem = problemSql('does-not-fit', [property.name], sql`to_jsonb(w.value)`)
      const found = sql`select w.id as "$id", ${problem} as problem
        from json_to_recordset(${JSON.stringify(wrong)}::text::json) as w(id bigint, value text)`
      await recordProblems(tx, batch.id, found)
    }
    size = texts.length
    after = texts.at(-1)?.id ?? after
  }
}
