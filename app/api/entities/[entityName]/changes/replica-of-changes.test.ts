import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import {
  change,
  changesAfter,
  create,
  cursorOfNow,
  deps,
  inBatch,
  remove,
} from './testing/followed'

type Row = Record<string, unknown>
type Replica = Map<string, Row>

const present = (): Promise<{ id: number; row: Row }[]> =>
  rows(deps.db, sql`select id::int as id, to_jsonb(b.*) - '$extra' as row from entities.book as b`)

const copied = async (): Promise<Replica> =>
  new Map((await present()).map(({ id, row }) => [String(id), shown(row)]))

/** As the API shows it. */
const shown = (row: Row): Row => ({ ...row, persistenceId: String(row.id) })

const run = (statement: string) => deps.db.execute(sql.raw(statement))

/** Statements, batches and single writes; some of them fail, and must leave no trace. */
const step = fc.oneof(
  fc.nat(20).map((id) => () => create({ id, title: `t${id}`, price: id })),
  fc.nat(20).map((id) => () => change(String(id), { title: `c${id}` })),
  fc.nat(20).map((id) => () => remove(String(id))),
  fc.nat(20).map((id) => () => run(`update entities.book set id = ${id} where id = ${id + 1}`)),
  fc
    .nat(9)
    .map((n) => () => run(`update entities.book set price = price + 1 where id % 10 = ${n}`)),
  fc.constant(() => inBatch('PATCH', { entity: 'Book', query: [], set: { branch: 'x' } })),
  fc.constant(() =>
    run(`insert into entities.book (id) select g from generate_series(100, 250) g`),
  ),
  fc.constant(() => run('truncate entities.book')),
  fc.constant(() => run('begin; delete from entities.book; rollback')),
)

const RUNS = 12

test('who copies the records and follows their changes has the same records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await run('truncate entities.book')
      const half = Math.ceil(steps.length / 2)
      for (const one of steps.slice(0, half)) await one().catch(() => {})
      const since = await cursorOfNow()
      const replica = await copied()
      // Several at the same time.
      await Promise.allSettled(steps.slice(half).map((one) => one()))
      await follow(replica, since)
      const expected = await copied()
      expect([...replica].sort()).toEqual([...expected].sort())
    }),
    { numRuns: RUNS, seed: 36 },
  )
})

/** Applies what has happened; a change that the copy has already leaves it as it is. */
async function follow(replica: Replica, since: string): Promise<void> {
  for (const { key, after } of await changesAfter(since, 'many=records&limit=50')) {
    if (after) replica.set(String(key), after as Row)
    else replica.delete(String(key))
  }
}
