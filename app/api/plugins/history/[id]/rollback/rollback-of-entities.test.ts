import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from '../../../testing/plugin-api'
import { columns, rolledBack, run } from '../../../testing/rollbacks'
import { deps, installed, integer, search, text, version } from '../../../testing/versions'

test('records of a new entity and values of a new field come back when the rollback is undone', async () => {
  await installed(version({ properties: [text('name')], records: [{ id: 1, name: 'Cup' }] }))
  const next = version({
    properties: [text('name'), integer('stock')],
    records: [{ id: 1, name: 'Cup', stock: 3 }],
  })
  const second = await run({ ...next, ...OTHER })
  const back = await rolledBack(second)
  const again = await rolledBack(back)
  expect(await search()).toEqual([{ id: 1, name: 'Cup', stock: 3 }])
  expect(await rows(deps.db, sql`select no from entities.other`)).toEqual([{ no: '1' }])
  await rolledBack(again)
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
  await rolledBack(second)
  expect(await columns()).toEqual(['$extra', 'id', 'name'])
  expect(await search()).toEqual([{ id: 1, name: 'Cup' }])
})

const OTHER: Files = pluginFiles({
  EngineEntities: {
    files: {
      'Other.json': { name: 'Other', pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }] },
    },
  },
  Other: { files: { 'data.json': [{ no: 1 }] } },
})
