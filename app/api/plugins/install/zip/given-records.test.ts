import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { InstallPreview } from '@/lib/plugins/contract'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install as installAlone, upload } from '../../testing/plugin-api'

const deps = freshDeps()

type Strategy = 'AutoIncrement' | 'UUID'
type Options = { onDuplicate?: string; strategy?: Strategy; plugin?: object; file?: string }

/** A plugin with genres without keys. */
function genres(records: object[], options: Options = {}): Files {
  const { onDuplicate = 'Upsert', strategy = 'AutoIncrement', plugin, file = 'data.json' } = options
  const type = strategy === 'UUID' ? 'string' : 'number'
  return pluginFiles(
    {
      EngineEntities: {
        files: { 'Genre.json': { name: 'Genre', pks: [{ key: 'id', strategy, type }] } },
      },
      Genre: {
        manifest: { target: 'Genre', insertDuplicate: onDuplicate },
        files: { [file]: records },
      },
    },
    plugin,
  )
}

/** Installs after a dry run with the same result, and returns the report of the data file. */
async function install(files: Files) {
  const [plan]: InstallPreview[] = (await upload(deps, files, { query: '?dryRun=true' })).body.data
  const log = (await installAlone(deps, files)).logs.at(-1)
  const essence = ({ status, error, records, details }: NonNullable<typeof log>) => ({
    status,
    error,
    records,
    details,
  })
  expect(plan?.files.slice(-1).map(essence)).toEqual(log && [essence(log)])
  const { created = 0, updated = 0, unchanged = 0 } = log?.records ?? {}
  return { verdict: log?.error ?? log?.status, counts: [created, updated, unchanged], log }
}

const stored = () =>
  rows<{ name: string }>(
    deps.db,
    sql`select "$extra" ->> 'name' as name from entities.genre order by 1`,
  ).then((found) => found.map(({ name }) => name))

const THREE = [{ name: 'Crime', tags: { a: 1, b: [2] } }, { name: 'Poetry' }, { name: 'Poetry' }]

describe.each<Strategy>(['AutoIncrement', 'UUID'])(
  'records whose keys are made by %s',
  (strategy) => {
    test('are known again when their file is installed again', async () => {
      expect((await install(genres(THREE, { strategy }))).counts).toEqual([3, 0, 0])
      expect(await install(genres(THREE, { strategy }))).toMatchObject({
        verdict: 'unchanged',
        counts: [0, 0, 3],
      })
      const reordered = [
        { name: 'Poetry' },
        { tags: { b: [2], a: 1 }, name: 'Crime' },
        { name: 'Poetry' },
      ]
      expect((await install(genres(reordered, { strategy }))).counts).toEqual([0, 0, 3])
      expect(await stored()).toEqual(['Crime', 'Poetry', 'Poetry'])
    })

    test('are added where they are new, and stay where the file has them no longer', async () => {
      await install(genres(THREE, { strategy }))
      const next = [{ name: 'Poetry' }, { name: 'Poetry' }, { name: 'Poetry' }, { name: 'Drama' }]
      expect((await install(genres(next, { strategy }))).counts).toEqual([2, 0, 2])
      expect(await stored()).toEqual(['Crime', 'Drama', 'Poetry', 'Poetry', 'Poetry'])
      expect((await install(genres(THREE, { strategy }))).counts).toEqual([0, 0, 3])
    })

    test('are kept as users changed them, and recreated with their keys when they were deleted', async () => {
      await install(genres(THREE, { strategy }))
      const keys = () =>
        rows<{ id: string }>(deps.db, sql`select id::text from entities.genre order by 1`)
      const before = await keys()
      await deps.db.execute(
        sql`update entities.genre set "$extra" = '{"name": "Mine"}' where "$extra" ->> 'name' = 'Crime'`,
      )
      await deps.db.execute(
        sql`delete from entities.genre where id = (select max(id) from entities.genre where "$extra" ->> 'name' = 'Poetry')`,
      )
      expect((await install(genres(THREE, { strategy }))).counts).toEqual([1, 0, 2])
      expect(await stored()).toEqual(['Mine', 'Poetry', 'Poetry'])
      expect(await keys()).toEqual(before)
    })

    test('conflict with Error, and are kept with Ignore', async () => {
      await install(genres(THREE, { strategy, onDuplicate: 'Error' }))
      const again = await install(genres(THREE, { strategy, onDuplicate: 'Error' }))
      expect(again.verdict).toBe('Conflict Issue!')
      expect(again.log?.detailCount).toBe(3)
      expect(again.log?.details[0]).toMatchObject({ index: 0, key: expect.anything() })
      expect((await install(genres(THREE, { strategy, onDuplicate: 'Ignore' }))).counts).toEqual([
        0, 0, 3,
      ])
      expect(await stored()).toHaveLength(3)
    })
  },
)

test('the same content of another file or another plugin is another record', async () => {
  await install(genres(THREE))
  expect((await install(genres(THREE, { file: 'more.json' }))).counts).toEqual([3, 0, 0])
  expect((await install(genres(THREE, { plugin: { id: 'com.example.b' } }))).counts).toEqual([
    3, 0, 0,
  ])
})

test('a file is the same whatever the top folder of the archive is called', async () => {
  const within = (folder: string) =>
    Object.fromEntries(Object.entries(genres(THREE)).map(([path, file]) => [folder + path, file]))
  await install(within('shop-1.0/'))
  expect((await install(within('shop-1.1/'))).counts).toEqual([0, 0, 3])
  expect((await install(within(''))).counts).toEqual([0, 0, 3])
})

test('a file that failed has given nothing', async () => {
  await install(genres([]))
  await install(genres([{ name: 'a' }, { id: 1 }, { id: 1 }], { onDuplicate: 'Error' }))
  expect((await install(genres([{ name: 'a' }], { onDuplicate: 'Error' }))).counts).toEqual([
    1, 0, 0,
  ])
})

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
