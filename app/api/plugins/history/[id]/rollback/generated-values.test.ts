import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { call } from '@/lib/testing/request'
import { GET as DRIFT } from '../../../[id]/drift/route'
import { installAsPlanned } from '../../../testing/install-as-planned'
import { columns, rolledBack, run, state, v1 } from '../../../testing/rollbacks'
import { deps, integer, search, text, version } from '../../../testing/versions'

const RECORDS = [
  { id: 1, name: 'Cup', price: 3, color: 'red' },
  { id: 2, name: 'Dish', price: 5 },
  { id: 3, name: 'Fork', price: 1 },
]
const TOKEN = text('token', { default: 'uuid', unique: true, required: true })
const SINCE = { name: 'since', type: 'date', meta: { default: 'now' } }
/** With two fields whose values are generated for the records that are there. */
const generated = (records: object[] = RECORDS) =>
  version({ properties: [text('name'), integer('price'), TOKEN, SINCE], records })

const PLUGIN = 'com.example.shop'
const drift = async () =>
  (
    await call(deps, DRIFT, {
      path: `/api/plugins/${PLUGIN}/drift`,
      params: { id: PLUGIN },
      as: 'ADMIN',
    })
  ).body.data

describe('values that an upgrade generated for records', () => {
  test('go with their field on rollback, also those of other records, and come back with it', async () => {
    await run(v1())
    await deps.db.execute(sql`insert into entities.thing (id, name) values (7, 'own')`)
    const before = await state()
    const upgraded = await run(generated())
    const after = await state()
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })

  test('are no edits of records, but what is written over them is one', async () => {
    await run(v1())
    const upgraded = await run(generated())
    expect(await drift()).toEqual([])
    await deps.db.execute(sql`update entities.thing set token = 'mine' where id = 2`)
    expect(await drift()).toMatchObject([{ key: '2', fields: [{ field: 'token', ours: 'mine' }] }])
    await rolledBack(upgraded)
    const left = sql`select id::int as id from entities.thing where token = 'mine'`
    expect(await rows(deps.db, left)).toEqual([{ id: 2 }])
    expect(await columns()).not.toContain('since')
  })

  test('leave records untouched, so that those which the archive no longer has are deleted', async () => {
    await run(v1())
    await run(generated())
    await installAsPlanned(deps, generated(RECORDS.slice(1)), '&removed=delete')
    expect(await search({ fields: ['id'] })).toEqual([{ id: 2 }, { id: 3 }])
  })

  test('are noted once with the changes of the same archive', async () => {
    await run(v1())
    const before = await state()
    const changed = RECORDS.map((record) => ({ ...record, price: 9 }))
    const upgraded = await run(generated(changed))
    const after = await state()
    expect(await drift()).toEqual([])
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })

  test('of a field that became required go, and those before stay', async () => {
    const loose = { ...TOKEN, meta: { default: 'uuid' } }
    const records = [{ id: 1, token: null }, { id: 2, token: 'x' }, { id: 3 }]
    await run(version({ properties: [loose], records }))
    const before = await state()
    const upgraded = await run(version({ properties: [TOKEN], records: records.slice(1) }))
    const after = await state()
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })
})
