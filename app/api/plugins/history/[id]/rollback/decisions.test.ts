import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { install } from '../../../testing/plugin-api'
import { deps, installed, integer, search, text, version } from '../../../testing/versions'
import { POST } from './route'

const things = (...records: [id: number, name: string, price: number][]) =>
  version({
    properties: [text('name'), integer('price')],
    records: records.map(([id, name, price]) => ({ id, name, price })),
  })

/** An upgrade with four conflicts since: 1 and 4 edited, 2 deleted, 9 created by it and edited. */
async function upgraded(): Promise<number> {
  await installed(things([1, 'Cup', 3], [2, 'Dish', 5], [3, 'Fork', 1], [4, 'Jug', 7]))
  const next = things([1, 'Mug', 4], [2, 'Dish', 6], [3, 'Fork', 1], [4, 'Jar', 8], [9, 'Pot', 1])
  const { body } = await install(deps, next)
  await deps.db.execute(sql`update entities.thing set price = 99 where id in (1, 4, 9)`)
  await deps.db.execute(sql`delete from entities.thing where id = 2`)
  return body.data.history
}

const rollback = (id: number, query: string, decisions: unknown) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback${query}`,
    params: { id: String(id) },
    as: 'ADMIN',
    body: { decisions },
  })

const stored = async () =>
  (await search({ fields: ['id', 'name', 'price'] })).map(Object.values as never)

test('each conflict of a rollback is decided by itself', async () => {
  const id = await upgraded()
  const decisions = { Thing: { take: ['1', '2', '9'] } }
  const planned = await rollback(id, '?dryRun=true', decisions)
  const decided = planned.body.data.plan.files.at(-1).conflicts
  expect(decided.map(({ key, decision }: Record<string, string>) => [key, decision])).toEqual([
    ['1', 'take'],
    ['2', 'take'],
    ['4', 'keep'],
    ['9', 'take'],
  ])
  const { seal } = planned.body.data.plan
  expect((await rollback(id, `?seal=${seal}`, {})).status).toBe(409)
  expect((await rollback(id, `?seal=${seal}`, decisions)).status).toBe(200)
  expect(await stored()).toEqual([
    [1, 'Cup', 3],
    [2, 'Dish', 5],
    [3, 'Fork', 1],
    [4, 'Jug', 99],
  ])
})

test('single edits are kept where the others are taken or refused', async () => {
  const id = await upgraded()
  expect(
    (await rollback(id, '?onConflict=fail', { Thing: { keep: ['1', '4', '9'] } })).status,
  ).toBe(409)
  expect((await rollback(id, '?onConflict=take', { Thing: { keep: ['4', '9'] } })).status).toBe(200)
  expect(await stored()).toEqual([
    [1, 'Cup', 3],
    [2, 'Dish', 5],
    [3, 'Fork', 1],
    [4, 'Jug', 99],
    [9, 'Pot', 99],
  ])
})

test('a decision about a record without a conflict is refused', async () => {
  const id = await upgraded()
  const { status, body } = await rollback(id, '', { Thing: { take: ['1', '3'] } })
  expect({ status, error: body.error }).toEqual({
    status: 400,
    error: 'The decisions name records without a conflict: Thing "3". Leave them out',
  })
  expect((await rollback(id, '', { Other: { keep: ['1'] } })).status).toBe(400)
  expect((await rollback(id, '', { Thing: ['1'] })).status).toBe(400)
})
