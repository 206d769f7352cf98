import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { GET as ENTITIES } from '@/app/api/entities/route'
import { rows } from '@/lib/db/sql'
import { maintainTotals } from '@/lib/layers/maintain-totals'
import { defineTestSchema } from '@/lib/testing/define'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { deps, headers, kept, PROPERTIES, pretend, run, since, total } from './testing/totals'

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
