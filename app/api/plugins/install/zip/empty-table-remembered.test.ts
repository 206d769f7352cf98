import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { settlePending } from '@/lib/tables/settle-pending'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installParts, MANY, parts } from '../../testing/parts'

const deps = freshDeps()

const keyed = (n: number) => ({ id: n })
const keyedAtFirst = (n: number) => (n < MANY / 2 ? { id: 2 * MANY + n } : {})

/** The records whose base is what is stored, and all that are remembered. */
async function remembered() {
  await settlePending(deps.db)
  return one(
    await rows<{ right: number; all: number }>(
      deps.db,
      sql`select count(*) filter (where p.base ->> 'code' = t.code and p.base ->> 'name' = t.name)::int as right,
          count(*)::int as all
        from engine.plugin_records as p left join entities.part as t on t.id::text = p.key where p.entity = 'Part'`,
    ),
  )
}

test.each([
  ['all', keyed],
  ['some', keyedAtFirst],
])('every record of a large file is remembered, of which %s have a key', async (_, key) => {
  expect((await installParts(deps, parts(MANY, key))).records).toMatchObject({ created: MANY })
  expect(await remembered()).toEqual({ right: MANY, all: MANY })
})

test('every record is remembered that takes the place of deleted ones', async () => {
  // Nodes of a cluster don't remember by the places that rows have.
  if (deps.dialect !== 'postgres' || testsOnCitus()) return
  await installParts(deps, [])
  await deps.db.execute(sql`insert into entities.part (id, code, name)
    select -n, 'X' || n, repeat('x', 1 + n % 700) from generate_series(1, 5000) as n`)
  // An open transaction behind them, so that VACUUM can't cut the table off.
  const [emptied, held] = [signal(), signal()]
  const writing = deps.db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into entities.part (id, code, name) values (-9999, 'Z', 'z')`)
      await deps.db.execute(sql`delete from entities.part where id > -9999`)
      await deps.db.execute(sql`vacuum entities.part`)
      emptied.give()
      await held.done
      throw new Error('rolled back')
    })
    .catch(() => {})
  await emptied.done
  expect((await installParts(deps, parts(MANY, keyed))).records).toMatchObject({ created: MANY })
  held.give()
  await writing
  expect(await remembered()).toEqual({ right: MANY, all: MANY })
})

function signal() {
  let give = () => {}
  const done = new Promise<void>((resolve) => {
    give = resolve
  })
  return { done, give: () => give() }
}
