import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { type Files, install } from '../../../testing/plugin-api'
import { deps, installed, integer, search, text, version } from '../../../testing/versions'
import { POST } from './route'

test('fields may have any name, those of aliases in statements too', async () => {
  const names = [...'abcdefgjklmnoprstuvw']
  const properties = names.map((name) => integer(name))
  const given = (value: number) => Object.fromEntries(names.map((name) => [name, value]))
  const first = { id: 1, ...given(1) }
  await installed(version({ properties, records: [first, { id: 2, ...given(1) }] }))
  const second = await run(
    version({ properties, records: [{ id: 1, ...given(2) }] }),
    '?removed=delete',
  )
  expect(await search()).toEqual([{ id: 1, ...given(2) }])
  expect(await rollback(second)).toBeGreaterThan(second)
  expect(await search()).toEqual([first, { id: 2, ...given(1) }])
})

test('an undeclared field that a version declares is undeclared again, and known by its name', async () => {
  await installed(
    version({
      properties: [],
      records: [
        { id: 1, color: 'red' },
        { id: 2, color: 'blue' },
      ],
    }),
  )
  const declared = { properties: [text('color')], records: [{ id: 1, color: 'red', size: 4 }] }
  const second = await run(version(declared), '?removed=delete')
  expect(await namesSeen()).toEqual(['size'])
  await rollback(second)
  expect(await search({ fields: ['id', 'color'] })).toEqual([
    { id: 1, color: 'red' },
    { id: 2, color: 'blue' },
  ])
  expect(await columns()).toEqual(['$extra', 'id'])
  expect(await namesSeen()).toEqual(['color'])
})

test('a name that somebody has used since stays known', async () => {
  await installed(version({ properties: [], records: [{ id: 1 }] }))
  const second = await run(version({ properties: [], records: [{ id: 1, size: 4, weight: 1 }] }))
  await deps.db.execute(sql`update entities.thing set "$extra" = '{"size": 5, "weight": 1}'`)
  await rollback(second)
  expect(await namesSeen()).toEqual(['size'])
  expect(await search()).toEqual([{ id: 1, size: 5 }])
})

test('records of a new entity and values of a new field come back when the rollback is undone', async () => {
  await installed(version({ properties: [text('name')], records: [{ id: 1, name: 'Cup' }] }))
  const next = version({
    properties: [text('name'), integer('stock')],
    records: [{ id: 1, name: 'Cup', stock: 3 }],
  })
  const second = await run({ ...next, ...OTHER })
  const back = await rollback(second)
  const again = await rollback(back)
  expect(await search()).toEqual([{ id: 1, name: 'Cup', stock: 3 }])
  expect(await rows(deps.db, sql`select no from entities.other`)).toEqual([{ no: '1' }])
  await rollback(again)
  expect(await rows(deps.db, sql`select name from engine.entities`)).toEqual([{ name: 'Thing' }])
})

test('a renamed entity with renamed and new fields is as before', async () => {
  await installed(
    version({ properties: [text('name', { required: true })], records: [{ id: 1, name: 'Cup' }] }),
  )
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const properties = [
    { ...text('title', { required: true }), renamedFrom: 'name' },
    integer('stock'),
  ]
  const second = await run(
    pluginFiles({
      EngineEntities: { files: { 'a.json': { name: 'Ware', renamedFrom: 'Thing', pks } } },
      EngineSchemas: { files: { 'a.json': { name: 'Ware', properties } } },
      Ware: {
        manifest: { target: 'Ware', insertDuplicate: 'Upsert' },
        files: { 'data.json': [{ id: 1, title: 'Mug', stock: 2 }] },
      },
    }),
  )
  await rollback(second)
  expect(await columns()).toEqual(['$extra', 'id', 'name'])
  expect(await search()).toEqual([{ id: 1, name: 'Cup' }])
})

test('the time and author of the last change are as before', async () => {
  const entity = { auditable: true }
  const properties = [text('name')]
  await installed(version({ entity, properties, records: [{ id: 1, name: 'Cup' }] }))
  const before = await search()
  const second = await run(version({ entity, properties, records: [{ id: 1, name: 'Mug' }] }))
  expect(await search()).not.toEqual(before)
  await rollback(second)
  expect(await search()).toEqual(before)
})

const OTHER: Files = pluginFiles({
  EngineEntities: {
    files: {
      'Other.json': { name: 'Other', pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }] },
    },
  },
  Other: { files: { 'data.json': [{ no: 1 }] } },
})

async function run(files: Files, query = ''): Promise<number> {
  const { body } = await install(deps, files, { query })
  expect(body.data.failedCount).toBe(0)
  return body.data.history
}

/** Returns the number of the rollback. */
async function rollback(id: number): Promise<number> {
  const { status, body } = await call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback`,
    params: { id: String(id) },
    as: 'ADMIN',
  })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.history
}

async function namesSeen(): Promise<string[] | undefined> {
  const query = sql`select extra_fields as names from engine.entities where name = 'Thing'`
  return (await rows<{ names: string[] }>(deps.db, query))[0]?.names
}

async function columns(): Promise<string[]> {
  const query = sql`select attname::text as name from pg_attribute
    where attrelid = 'entities.thing'::regclass and attnum > 0 and not attisdropped order by 1`
  return (await rows<{ name: string }>(deps.db, query)).map(({ name }) => name)
}
