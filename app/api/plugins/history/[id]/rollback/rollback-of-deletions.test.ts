import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { logsOf } from '../../../testing/plugin-api'
import { rollback, run, state } from '../../../testing/rollbacks'
import { deps, integer, search, text, version } from '../../../testing/versions'
import { POST } from './route'

const properties = [text('code', { unique: true }), integer('price')]
const things = (...records: object[]) =>
  version({ properties, entity: { auditable: true }, records })

/** An install that deleted the things 2 and 3. */
async function deleting(): Promise<number> {
  await run(
    things(
      { id: 1, code: 'A', price: 1 },
      { id: 2, code: 'X', price: 2, color: 'red' },
      { id: 3, code: 'Y', price: 3 },
    ),
  )
  return run(things({ id: 1, code: 'A', price: 4 }), '?removed=delete')
}

const add = (id: number, code: string, price: number) =>
  deps.db.execute(
    sql`insert into entities.thing (id, code, price, "CreatedBy", "$extra")
      values (${id}::numeric, ${code}, ${price}::int, 'Ann', '{"color": "mine"}')`,
  )

const stored = () => search({ fields: ['id', 'code', 'price'] })

for (const mode of ['keep', 'take', 'fail'])
  test(`a record whose unique value is taken prevents the rollback (${mode})`, async () => {
    const second = await deleting()
    await add(9, 'X', 9)
    const before = await state()
    for (const query of ['dryRun=true&', ''])
      expect(await rollback(second, `?${query}onConflict=${mode}`)).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(/"Thing".*unique values: "2"/) },
      })
    expect(await state()).toEqual(before)
    await deps.db.execute(sql`update entities.thing set code = 'Z' where id = 9`)
    expect((await rollback(second)).status).toBe(200)
    expect(await stored()).toEqual([
      { id: 1, code: 'A', price: 1 },
      { id: 2, code: 'X', price: 2 },
      { id: 3, code: 'Y', price: 3 },
      { id: 9, code: 'Z', price: 9 },
    ])
  })

test('a record that was deleted since and is wanted again counts, too', async () => {
  await run(things({ id: 1, code: 'A', price: 1 }))
  const second = await run(things({ id: 1, code: 'A', price: 4 }))
  await deps.db.execute(sql`delete from entities.thing`)
  await add(9, 'A', 9)
  expect((await rollback(second, '?onConflict=take')).status).toBe(409)
  expect((await rollback(second, '?onConflict=keep')).status).toBe(200)
  expect(await stored()).toEqual([{ id: 9, code: 'A', price: 9 }])
})

const CONFLICT = {
  key: '3',
  change: 'edited',
  fields: [
    { field: 'code', base: null, ours: 'Y2', theirs: 'Y' },
    { field: 'price', base: null, ours: 9, theirs: 3 },
    { field: 'color', base: null, ours: 'mine', theirs: null },
  ],
}

test('a record in place of a deleted one is kept and listed', async () => {
  const second = await deleting()
  await add(3, 'Y2', 9)
  const { plan } = (await rollback(second, '?dryRun=true')).body.data
  expect(plan.files.at(-1)).toMatchObject({
    conflictCount: 1,
    conflicts: [{ ...CONFLICT, decision: 'keep' }],
    records: { created: 1, updated: 1 },
  })
  const before = await state()
  expect((await rollback(second, '?onConflict=fail')).status).toBe(409)
  expect(await state()).toEqual(before)
  const { body } = await rollback(second, `?seal=${plan.seal}`)
  expect((await logsOf(deps, body.data.history)).at(-1)).toMatchObject({ conflictCount: 1 })
  expect(await stored()).toEqual([
    { id: 1, code: 'A', price: 1 },
    { id: 2, code: 'X', price: 2 },
    { id: 3, code: 'Y2', price: 9 },
  ])
  expect((await rollback(body.data.history)).status).toBe(200)
  expect(await state()).toEqual(before)
})

const WITH_FORMER = [
  { id: 1, code: 'A', price: 1 },
  { id: 2, code: 'X', price: 2 },
  { id: 3, code: 'Y', price: 3 },
]

test('the former record is put in its place, which can be undone', async () => {
  const second = await deleting()
  await add(3, 'Y2', 9)
  const before = await state()
  const { body } = await rollback(second, '?onConflict=take')
  const [, log] = await logsOf(deps, body.data.history)
  expect(log).toMatchObject({
    conflictCount: 1,
    conflicts: [{ ...CONFLICT, decision: 'take' }],
    records: { created: 1, updated: 2 },
  })
  expect(await stored()).toEqual(WITH_FORMER)
  expect((await rollback(body.data.history)).status).toBe(200)
  expect(await state()).toEqual(before)
})

test('it is decided by itself', async () => {
  const second = await deleting()
  await add(3, 'Y2', 9)
  const decide = (query: string, decisions: object) =>
    call(deps, POST, {
      method: 'POST',
      path: `/api/plugins/history/${second}/rollback${query}`,
      params: { id: String(second) },
      as: 'ADMIN',
      body: { decisions },
    })
  expect((await decide('', { Thing: { take: ['2'] } })).status).toBe(400)
  expect((await decide('?onConflict=fail', { Thing: { take: ['3'] } })).status).toBe(200)
  expect(await stored()).toEqual(WITH_FORMER)
})

test('a record that came back by itself is no conflict', async () => {
  const second = await deleting()
  await deps.db.execute(sql`insert into entities.thing (id, code, price) values (3, 'Y', 3)`)
  const { status, body } = await rollback(second, '?onConflict=fail')
  expect(status).toBe(200)
  expect((await logsOf(deps, body.data.history)).at(-1)).toMatchObject({ conflictCount: 0 })
  expect(await stored()).toEqual(WITH_FORMER)
})

test('a rule that only the former version had counts for records that return', async () => {
  await run(things({ id: 1, code: 'A', price: 1 }, { id: 2, code: 'X', price: 2 }))
  const second = await run(
    version({
      properties: [text('code'), text('price')],
      entity: { auditable: true },
      records: [{ id: 1, code: 'A', price: 'free' }],
    }),
    '?removed=delete',
  )
  await deps.db.execute(sql`insert into entities.thing (id, code, price) values (9, 'X', '9')`)
  const before = await state()
  expect((await rollback(second, '?dryRun=true')).status).toBe(409)
  expect((await rollback(second)).status).toBe(409)
  expect(await state()).toEqual(before)
})
