import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()
const install = (files: Files) => installAsPlanned(deps, files)

type Version = { key?: string; properties: object[] }
const items = (records: object[], { key = 'number', properties }: Version) =>
  pluginFiles({
    EngineSchemas: { files: { 'Item.json': { name: 'Item', properties } } },
    EngineEntities: {
      files: {
        'Item.json': { name: 'Item', pks: [{ key: 'id', strategy: 'AutoIncrement', type: key }] },
      },
    },
    Item: { manifest: { target: 'Item', insertDuplicate: 'Upsert' }, files: { 'd.json': records } },
  })
const property = (name: string, type: string) => ({ name, type })

test.each<[string, object[], Version, Version]>([
  [
    'a date becomes a datetime',
    [{ a: '2020-01-01' }, { a: '2020-01-02' }],
    { properties: [property('a', 'date')] },
    { properties: [property('a', 'datetime')] },
  ],
  [
    'an undeclared text is declared',
    [{ a: '2020-01-01T10:00:00+02:00' }, { a: '2020-01-02' }],
    { properties: [property('b', 'string')] },
    { properties: [property('b', 'string'), property('a', 'datetime')] },
  ],
  [
    'the key becomes a text',
    [{ a: 'x' }, { a: 'x' }, { id: null, a: 'y' }],
    { properties: [property('a', 'string')] },
    { key: 'string', properties: [property('a', 'string')] },
  ],
])('records stay the same when %s', async (_, records, before, after) => {
  expect((await install(items(records, before))).counts).toEqual([records.length, 0, 0])
  expect((await install(items(records, after))).counts).toEqual([0, 0, records.length])
  expect((await install(items(records, after))).counts).toEqual([0, 0, records.length])
})

test('a record gets another key where its former one does not fit the key', async () => {
  const records = [{ a: 'x' }]
  const properties = [property('a', 'string')]
  await install(items(records, { properties }))
  await deps.db.execute(sql`delete from entities.item`)
  const files = {
    ...items(records, { properties }),
    'EngineEntities/Item.json': {
      name: 'Item',
      pks: [{ key: 'code', strategy: 'AutoIncrement', type: 'number' }],
    },
  }
  expect((await install(files)).counts).toEqual([1, 0, 0])
  expect((await install(files)).counts).toEqual([0, 0, 1])
})
