import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

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

const install = (files: Files) => installAsPlanned(deps, files)

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
