import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { addNote, notes, notesAboutThings, withNotes } from '../../../testing/referring-notes'
import { rollback, run, state } from '../../../testing/rollbacks'
import { deps, integer, search, version } from '../../../testing/versions'
import { POST } from './route'

const properties = [integer('price')]
const one = version({ properties, records: [{ id: 1, price: 1 }] })
const three = version({
  properties,
  records: [
    { id: 1, price: 1 },
    { id: 3, price: 3 },
    { id: 4, price: 4 },
  ],
})

for (const onDelete of ['cascade', 'setNull'])
  test(`records of others that refer to one that would go prevent it, despite ${onDelete}`, async () => {
    await run(one)
    await notesAboutThings(onDelete, { id: 1, thing: 1 })
    const second = await run(three)
    await addNote(2, 3)
    await addNote(3, 4)
    const before = await state()
    for (const query of ['?dryRun=true', '', '?onConflict=take'])
      expect(await rollback(second, query)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('2 records of "Note" (by "thing")') },
      })
    expect(await state()).toEqual(before)
    await deps.db.execute(sql`delete from entities.note where id > 1`)
    expect((await rollback(second)).status).toBe(200)
    expect(await notes()).toEqual({ 1: 1 })
  })

test('their number is told to those who may read them', async () => {
  await run(one)
  await notesAboutThings('cascade')
  const second = await run(three)
  await addNote(2, 3)
  const { status, body } = await call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/history/${second}/rollback`,
    params: { id: String(second) },
    as: 'ADMIN',
    scopes: ['plugins:install', 'Thing:*'],
  })
  expect([status, body.error]).toEqual([
    409,
    'records of "Note" (by "thing") refer to records that would go; delete those first. Nothing was deleted',
  ])
  expect(await notes()).toEqual({ 2: 3 })
})

test('a record that is kept prevents that what it refers to goes', async () => {
  const things = (...ids: number[]) => ({ properties, records: ids.map((id) => ({ id })) })
  await run(withNotes(things(1), 'cascade', []))
  const second = await run(withNotes(things(1, 3, 4), 'cascade', [{ id: 2, thing: 3 }]))
  await deps.db.execute(sql`update entities.note set thing = 4 where id = 2`)
  expect((await rollback(second)).status).toBe(409)
  expect(await notes()).toEqual({ 2: 4 })
  expect((await rollback(second, '?onConflict=take')).status).toBe(200)
  expect(await notes()).toEqual({})
  expect(await search({ fields: ['id'] })).toEqual([{ id: 1 }])
})
