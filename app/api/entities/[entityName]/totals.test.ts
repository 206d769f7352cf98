import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { GET as COUNT } from '@/app/api/entities/[entityName]/count/route'
import { GET as LIST } from '@/app/api/entities/[entityName]/route'
import { GET as ENTITIES } from '@/app/api/entities/route'
import { one, rows } from '@/lib/db/rows'
import { defineTestSchema } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { maintainTotals } from '@/lib/totals/maintain-totals'

const deps = freshDeps()
let headers: Record<string, string>

const PROPERTIES = [
  { name: 'title', type: 'string' },
  { name: 'price', type: 'integer' },
  { name: 'author', type: 'bigint', reference: { entity: 'Author', field: 'id' } },
]

beforeEach(async () => {
  const name = [{ name: 'name', type: 'string' }]
  await installTestEntity(deps, { entity: { name: 'Author' }, schema: { properties: name } })
  await installTestEntity(deps, { entity: { name: 'Book' }, schema: { properties: PROPERTIES } })
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  await run(`insert into entities.author (id, name) values (1, 'Ann'), (2, 'Bob')`)
  await run(
    `insert into entities.book (id, title, price, author) select i, 'Book ' || i, i % 10, 1 + i % 2 from generate_series(1, 100) i`,
  )
})

const run = (statement: string) => deps.db.execute(sql.raw(statement))

let size = 1

/** The total of a page, which must be that of the count alone too. A page that is not remembered. */
async function total(filter = '', entityName = 'Book'): Promise<number> {
  const query = filter ? `filter=${encodeURIComponent(filter)}` : ''
  const at = { headers, params: { entityName } }
  const page = await call(deps, LIST, {
    ...at,
    path: `/api/entities/${entityName}?size=${++size}&${query}`,
  })
  const path = `/api/entities/${entityName}/count?${query}`
  const counted = await call(deps, COUNT, { ...at, path })
  expect(counted.body.data).toEqual([{ count: page.body.pagination.total }])
  return page.body.pagination.total
}

const kept = async (table = 'book') =>
  one(
    await rows<{ total: string | null; version: string }>(
      deps.db,
      sql`select total::text, version from engine.current_totals where relation = ${`entities.${table}`}::regclass`,
    ),
  )

const since = ({ version }: { version: string }) => version.split('.').slice(0, 2).join('.')

/** A wrong base, which shows that a total was not counted. */
const pretend = (base: number) =>
  run(`update engine.entity_totals set base = ${base} where relation = 'entities.book'::regclass`)

test('the total of an entity is kept, not counted', async () => {
  expect(await total()).toBe(100)
  await pretend(900)
  expect(await total()).toBe(1000)
})

test('every kind of statement changes the total, from outside the API too', async () => {
  await run(`delete from entities.book where id <= 10`)
  expect(await total()).toBe(90)
  await run(`with gone as (delete from entities.book where id <= 20 returning *)
    insert into entities.book (id) select id + 1000 from gone union all select 5000`)
  expect(await total()).toBe(91)
  await run(
    `insert into entities.book (id) values (5000), (5001) on conflict (id) do update set price = 77`,
  )
  expect(await total()).toBe(92)
  expect(await total('price:eq:77')).toBe(1)
  await run(`truncate entities.book`)
  expect(await total()).toBe(0)
  expect(await total('price:eq:77')).toBe(0)
  expect((await kept()).total).toBe('0')
})

test('what is rolled back changes nothing', async () => {
  await total('price:eq:1')
  const failed = deps.db.transaction(async (tx) => {
    await tx.execute(sql`truncate entities.book`)
    await tx.execute(sql`insert into entities.book (id, price) values (1, 1)`)
    throw new Error('back')
  })
  await expect(failed).rejects.toThrow('back')
  await deps.db.transaction(async (tx) => {
    const undone = tx.transaction(async (inner) => {
      await inner.execute(sql`delete from entities.book`)
      throw new Error('back')
    })
    await expect(undone).rejects.toThrow('back')
    await tx.execute(sql`insert into entities.book (id, price) values (101, 1)`)
  })
  expect(await total()).toBe(101)
  expect(await total('price:eq:1')).toBe(11)
})

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

test('an update that changes no record changes no version', async () => {
  const { version } = await kept()
  await run(`update entities.book set price = 1 where id > 1000`)
  await run(`insert into entities.book (id) values (1) on conflict do nothing`)
  expect((await kept()).version).toBe(version)
  await run(`update entities.book set price = 1 where id = 1`)
  expect((await kept()).version).not.toBe(version)
})

test('a total of conditions is counted once, until a table that it depends on changes', async () => {
  const filter = 'price:eq:3,author.name:eq:Bob'
  expect(await total(filter)).toBe(10)
  await run(`alter table entities.book disable trigger all`)
  await run(`update entities.book set price = 4 where id = 3`)
  expect(await total(filter), 'remembered').toBe(10)
  await run(`alter table entities.book enable always trigger engine_total_end`)
  await run(`update entities.book set price = 4 where id = 13`)
  expect(await total(filter), 'counted again').toBe(8)
  await run(`update entities.author set name = 'Bea' where id = 2`)
  expect(await total(filter)).toBe(0)
  await run(`update entities.author set name = 'Bob' where id = 2`)
  expect(await total(filter)).toBe(8)
})

test('totals of other values, operators and entities are told apart', async () => {
  const filters = ['price:eq:3', 'price:eq:4', 'price:gt:3', 'price:lt:3', 'title:like:%1%']
  const expected = [10, 10, 60, 30, 20]
  for (const round of [1, 2])
    for (const [at, filter] of filters.entries())
      expect(await total(filter), `${filter} ${round}`).toBe(expected[at])
  expect(await total('id:gt:1', 'Author')).toBe(1)
  expect(await total('id:gt:1', 'Book')).toBe(99)
})

test('a change of the table is a change of what is known of it', async () => {
  expect(await total('price:gt:5')).toBe(40)
  const properties = PROPERTIES.map((one) =>
    one.name === 'price' ? { ...one, type: 'string' } : one,
  )
  const before = await kept()
  await defineTestSchema(deps, { name: 'Book', properties })
  const after = await kept()
  expect(after.total).toBe('100')
  expect(after.version).not.toBe(before.version)
})

test('a table that is dropped and made again begins again', async () => {
  await run(`delete from entities.book`)
  const before = await kept()
  const pks = [{ key: 'isbn', strategy: 'Fixed', type: 'string' }]
  await installTestEntity(deps, {
    entity: { name: 'Book', pks },
    schema: { properties: PROPERTIES },
  })
  expect(await kept()).toMatchObject({ total: '0' })
  expect(since(await kept())).not.toBe(since(before))
  expect(await rows(deps.db, sql`select 1 from engine.entity_totals`)).toHaveLength(2)
})

test('the entities of a list have their exact numbers', async () => {
  await pretend(100_000)
  const { body } = await call(deps, ENTITIES, { path: '/api/entities?counts=true', headers })
  const book = body.data.find(({ name }: { name: string }) => name === 'Book')
  expect(book.records).toEqual({ value: 100_100, isEstimate: false })
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

test('compaction changes neither totals nor versions', async () => {
  await run(`update entities.book set price = 3 where id = 1`)
  const before = await kept()
  await maintainTotals(deps)
  expect(await rows(deps.db, sql`select 1 from engine.entity_total_changes`)).toHaveLength(0)
  expect(await kept()).toEqual(before)
})

test('a reader who meets many changes has them compacted', async () => {
  await run(
    `do $$ begin for i in 1..1000 loop update entities.book set price = 3 where id = 1; end loop; end $$`,
  )
  await total()
  const pending = () => rows(deps.db, sql`select 1 from engine.entity_total_changes`)
  await expect.poll(async () => (await pending()).length).toBeLessThan(300)
  expect(await total('price:eq:3')).toBe(11)
})

test('system entities are counted', async () => {
  expect(await total('', 'EngineApiKeys')).toBe(1)
  await testKey(deps, ['VIEWER'])
  expect(await total('', 'EngineApiKeys')).toBe(2)
})
