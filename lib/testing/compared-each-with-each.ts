import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { type Db, rows } from '@/lib/db/sql'

type Statement = Parameters<Db['execute']>[0]
type Plan = { [field: string]: unknown }

/**
 * The database, but of each raw statement of a transaction the plan is looked at before it runs, with next to no memory for hash
 * tables: `found` gets the texts of those whose time grows with the square of the records.
 */
export function watchPlans(db: Db, found: string[]): Db {
  const watched = (tx: Db): Db =>
    new Proxy(tx, {
      get(target, name) {
        if (name === 'execute')
          return async (statement: Statement) => {
            await look(target, statement, found)
            return target.execute(statement)
          }
        if (name === 'transaction')
          return (work: (inner: Db) => Promise<unknown>) =>
            target.transaction((inner) => work(watched(inner as unknown as Db)))
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return new Proxy(watched(db), {
    get(target, name) {
      if (name === 'execute') return db.execute.bind(db)
      if (name !== 'transaction') return Reflect.get(target, name)
      return (work: (inner: Db) => Promise<unknown>) =>
        db.transaction(async (tx) => {
          await tx.execute(sql`select set_config('work_mem', '64kB', true)`)
          return work(watched(tx as unknown as Db))
        })
    },
  })
}

const PLANNED = /^\s*(select|insert|update|delete|with)\b/i

async function look(tx: Db, statement: Statement, found: string[]): Promise<void> {
  const query = sql`${statement}`
  const text = new PgDialect().sqlToQuery(query).sql
  if (!PLANNED.test(text)) return
  if (isQuadratic(await rows<Plan>(tx, sql`explain (format json) ${query}`))) found.push(text)
}

/** Whether a part of the plan reads a whole relation for each row of another one. */
function isQuadratic(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(isQuadratic)
  if (typeof part !== 'object' || part === null) return false
  const node = part as Plan
  const plans = Array.isArray(node.Plans) ? (node.Plans as Plan[]) : []
  const conditions = JSON.stringify({ ...node, Plans: null })
  const isRepeated = (plan: Plan) =>
    isInner(node, plan) ||
    (plan['Parent Relationship'] === 'SubPlan' &&
      !conditions.includes(`hashed ${plan['Subplan Name']}`))
  return (
    plans.some((plan) => isRepeated(plan) && readsAll(plan)) ||
    Object.values(node).some(isQuadratic)
  )
}

const isInner = (node: Plan, plan: Plan) =>
  node['Node Type'] === 'Nested Loop' &&
  node['Join Filter'] !== undefined &&
  plan['Parent Relationship'] === 'Inner'

/** Whether a part that runs for each row reads a relation, and not by what that row has. Catalogs and definitions are few. */
function readsAll(plan: Plan): boolean {
  const text = JSON.stringify(plan)
  if (/"Relation Name":"(pg_|entities")/.test(text)) return false
  return RELATION.test(text) && !LOOKUP.test(text.replaceAll(/'[^']*'/g, "''"))
}

const RELATION =
  /"(Materialize|Seq Scan|Index Scan|Index Only Scan|CTE Scan)"|json_to_recordset|read_intermediate_result/
/** A condition of an index that names a column of another relation. */
const LOOKUP = /"Index Cond":"[^"\\]*(\\"[^"\\]*\\"|\w)\.[\w\\]/
