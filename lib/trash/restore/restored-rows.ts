import { type SQL, sql } from 'drizzle-orm'
import { type TrashBatchRow, type TrashProblem, trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db } from '@/lib/db/sql'
import type { Restoration } from './find-problems'
import type { RestorePlan } from './prepare-restoration'

/**
 * The batch's records without a known problem, as rows of the table: its columns, `$id` of the
 * deleted record and `$misfit`, the problem with its values, or null.
 */
export function restoredRows({ id, columns: had }: TrashBatchRow, plan: RestorePlan): SQL {
  const types = had.map(({ name, sqlType }) => sql`${sql.identifier(name)} ${sql.raw(sqlType)}`)
  const values = plan.columns.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`)
  return sql`
    select r.id as "$id", ${misfitSql(plan)} as "$misfit", ${sql.join(values, sql`, `)}
    from ${trashRecords} as r
    cross join lateral jsonb_to_record(r.data) as old(${sql.join(types, sql`, `)})
    where r.batch_id = ${id}::uuid and r.problem is null`
}

function misfitSql({ misfits }: RestorePlan): SQL {
  if (misfits.length === 0) return sql`null::jsonb`
  const branches = misfits.map(
    ({ field, when, value }) =>
      sql`when ${when} then ${problemSql('does-not-fit', [field], value)}`,
  )
  return sql`case ${sql.join(branches, sql` `)} end`
}

/** A `TrashProblem` as JSON; `value` is JSON too. */
export const problemSql = (
  reason: TrashProblem['reason'],
  fields: readonly string[],
  value: SQL,
): SQL =>
  sql`jsonb_build_object('reason', ${reason}::text, 'fields', ${JSON.stringify(fields)}::text::jsonb, 'value', ${value})`

/**
 * Records problems and returns how many there were: `found` is a query of `$id` and `problem`, which may
 * be null.
 */
export const recordProblems = (tx: Db, batchId: string, found: SQL): Promise<number> =>
  affectedRows(
    tx,
    sql`update ${trashRecords} as r set problem = f.problem from (${found}) as f
      where r.batch_id = ${batchId}::uuid and r.id = f."$id" and f.problem is not null`,
  )

const FOUND = sql.identifier('engine_problems')

/** The same, when `found` reads records of an entity: no change has a part that reads them on nodes of a cluster. */
export async function recordStoredProblems(
  tx: Db,
  { batch, entity }: Pick<Restoration, 'batch' | 'entity'>,
  found: SQL,
): Promise<number> {
  if (!entity.isDistributed) return recordProblems(tx, batch.id, found)
  await tx.execute(sql`create temporary table ${FOUND} on commit drop as ${found}`)
  const recorded = await recordProblems(tx, batch.id, sql`select * from ${FOUND}`)
  await tx.execute(sql`drop table ${FOUND}`)
  return recorded
}
