import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { maintainTotals } from '@/lib/layers/maintain-totals'
import { deps, kept, run, total } from './testing/totals'

/** Statements that begin others on the same table. */
const NESTED: [string, string][] = [
  [
    'a cascade within the table',
    `alter table entities.book add column part_of bigint references entities.book (id) on delete cascade;
    update entities.book set part_of = id / 10 where id >= 10; delete from entities.book where id = 2`,
  ],
  [
    'two deletions in a statement',
    `with a as (delete from entities.book where id < 5), b as (delete from entities.book where id > 90)
    insert into entities.book (id) values (201), (202)`,
  ],
  [
    'insertions of taken keys',
    `insert into entities.book (id) select i from generate_series(95, 105) i on conflict do nothing`,
  ],
  [
    'insertions that overwrite',
    `insert into entities.book (id) select i from generate_series(95, 105) i on conflict (id) do update set price = 1`,
  ],
  [
    'MERGE',
    `merge into entities.book b using generate_series(95, 105) i on b.id = i
    when matched and i < 98 then delete when matched then update set price = 7 when not matched then insert (id) values (i)`,
  ],
  [
    'a trigger that deletes others',
    `create function entities.others() returns trigger language plpgsql as $$ begin
      delete from entities.book where id = old.id + 50; return null; end $$;
    create trigger others after delete on entities.book for each row execute function entities.others();
    delete from entities.book where id <= 20`,
  ],
  [
    'a trigger that takes back what it did',
    `create function entities.undone() returns trigger language plpgsql as $$ begin
      begin delete from entities.book where id = old.id + 50; raise exception 'back'; exception when raise_exception then end;
      return null; end $$;
    create trigger undone after delete on entities.book for each row execute function entities.undone();
    delete from entities.book where id <= 20`,
  ],
]

test.each(NESTED)('the total is that of the table after %s', async (_, statements) => {
  await run(statements)
  const counted = one(
    await rows<{ n: string }>(deps.db, sql`select count(*)::text as n from entities.book`),
  ).n
  expect([counted, null]).toContain((await kept()).total)
  expect(await total()).toBe(Number(counted))
  await maintainTotals(deps)
  expect(await kept()).toMatchObject({ total: counted })
  await run('drop function if exists entities.others, entities.undone cascade')
})

test('tables that others changed behind the triggers are counted, and kept again', async () => {
  await total('price:eq:1')
  await run(`alter table entities.book disable trigger all`)
  await run(`delete from entities.book where id <= 50`)
  await maintainTotals(deps)
  expect(await total(), 'while the triggers are disabled').toBe(50)
  await run(`delete from entities.book where price = 1`)
  expect(await total('price:eq:1')).toBe(0)
  await run(`alter table entities.book enable trigger all`)
  await maintainTotals(deps)
  expect(await kept()).toMatchObject({ total: '45' })
  await run(`insert into entities.book (id, price) values (1, 1)`)
  expect(await total()).toBe(46)
  expect(await total('price:eq:1')).toBe(1)
})

test('a change behind triggers that are enabled again by then is found too', async () => {
  await maintainTotals(deps)
  await run(`alter table entities.book disable trigger user`)
  await run(`delete from entities.book where id <= 50`)
  await run(`alter table entities.book enable trigger user`)
  await maintainTotals(deps)
  expect(await kept()).toMatchObject({ total: '50' })
})

test('tables without triggers get them', async () => {
  await run(`drop trigger engine_total_end on entities.book`)
  await run(`delete from engine.entity_totals`)
  await run(`insert into entities.book (id) values (101)`)
  expect(await total(), 'counted until then').toBe(101)
  await maintainTotals(deps)
  expect(await kept()).toMatchObject({ total: '101' })
  await run(`insert into entities.book (id) values (102)`)
  expect(await kept()).toMatchObject({ total: '102' })
})

test('an old snapshot does not know what TRUNCATE removes, so the table is counted', async () => {
  await deps.db.transaction((tx) => tx.execute(sql`truncate entities.book`), {
    isolationLevel: 'repeatable read',
  })
  expect(await kept()).toMatchObject({ total: null })
  expect(await total()).toBe(0)
  await run(`insert into entities.book (id) values (1)`)
  expect(await total()).toBe(1)
  await maintainTotals(deps)
  expect(await kept()).toMatchObject({ total: '1' })
})
