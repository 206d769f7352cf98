import { type SQL, sql } from 'drizzle-orm'
import { type Db, one, rows } from './sql'

/**
 * Joins in this transaction are not nested loops where another join can do it. For statements on tables that were
 * filled a moment ago: without statistics, PostgreSQL expects a row where there are thousands, and reads the
 * other table once for each.
 */
export const preferHashJoins = (tx: Db): Promise<unknown> =>
  // The cost of the nested loops that remain would look as if compiling expressions were worth it.
  tx.execute(sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`)

/** The same for the statements of `work` alone. */
export async function withHashJoins<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const settings = sql`current_setting('enable_nestloop') as nestloop, current_setting('jit') as jit`
  const before = one(await rows<{ nestloop: string; jit: string }>(tx, sql`select ${settings}`))
  await preferHashJoins(tx)
  const result = await work()
  await tx.execute(
    sql`select set_config('enable_nestloop', ${before.nestloop}::text, true), set_config('jit', ${before.jit}::text, true)`,
  )
  return result
}

type Plan = { 'Plan Rows': number; 'Total Cost': number; 'Distributed Query'?: { Job: Job } }
/** Of Citus: one of the tasks, all of which are alike. */
type Job = { 'Task Count': number; Tasks: [{ 'Remote Plan': [[{ Plan: Plan }]] }] }
type Explained = { 'QUERY PLAN': [{ Plan: Plan }] }

/**
 * The planner's estimate of the number of rows of a query, and of its cost, in its units. Takes under
 * a millisecond, on a cluster that of one node; as good as the last ANALYZE.
 */
export async function estimateRows(db: Db, query: SQL): Promise<{ count: number; cost: number }> {
  const found = await rows<Explained>(db, sql`explain (format json) ${query}`)
  return figuresOf(one(found)['QUERY PLAN'][0].Plan)
}

function figuresOf(plan: Plan): { count: number; cost: number } {
  const job = plan['Distributed Query']?.Job
  const remote = job?.Tasks[0]?.['Remote Plan'][0]?.[0]?.Plan
  if (!job || !remote) return { count: plan['Plan Rows'], cost: plan['Total Cost'] }
  const { count, cost } = figuresOf(remote)
  return { count: count * job['Task Count'], cost: cost * job['Task Count'] }
}
