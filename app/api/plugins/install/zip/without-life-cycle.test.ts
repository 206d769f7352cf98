import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { layersFor } from '@/lib/layers'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as ROLL_BACK } from '../../history/[id]/rollback/route'
import { install, upload } from '../../testing/plugin-api'
import { CHANGED, edit, next, THREE } from '../../testing/upgrades'
import { deps, installed, search } from '../../testing/versions'

/** Without the layer of the life cycle, an install writes what the archive says, and remembers nothing. */
beforeEach(() => {
  deps.layers = layersFor({ DISABLED_LAYERS: ['life-cycle'] })
})

const remembered = async () => {
  const counts = sql`select (select count(*) from engine.plugin_records)::int
    + (select count(*) from engine.pending_plugin_records)::int + (select count(*) from engine.plugin_changes)::int
    + (select count(*) from engine.plugin_definition_changes)::int as n`
  return one(await rows<{ n: number }>(deps.db, counts)).n
}

const countsOf = (logs: { target: string | null; records: object }[]) =>
  logs.find(({ target }) => target === 'Thing')?.records

test('records are installed, installed again and found', async () => {
  const first = await installed(next(THREE))
  expect(countsOf(first)).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 0 })
  const again = await installed(next(THREE))
  expect(countsOf(again)).toEqual({ created: 0, updated: 0, unchanged: 3, failed: 0 })
  expect((await search()).map(({ name }: { name: string }) => name)).toEqual([
    'Cup',
    'Dish',
    'Fork',
  ])
  expect(await remembered()).toBe(0)
})

test('a new version replaces what was edited here, and creates again what was deleted', async () => {
  await installed(next(THREE))
  await edit(`price = 9, note = 'x'`, 1)
  await deps.db.execute(sql`delete from entities.thing where id = 2`)
  const logs = await installed(next(CHANGED))
  expect(countsOf(logs)).toEqual({ created: 1, updated: 2, unchanged: 0, failed: 0 })
  expect(await search()).toEqual([
    { id: 1, name: 'Mug', price: 4, note: 'x', color: 'blue' },
    { id: 2, name: 'Dish', price: 5, note: null },
    { id: 3, name: 'Spoon', price: 1, note: null },
  ])
})

test('large files are copied and written in parts', async () => {
  const many = Array.from({ length: 6_000 }, (_, id) => ({
    id,
    name: `Thing ${id} of many`,
    price: id,
  }))
  expect(countsOf(await installed(next(many)))).toMatchObject({ created: 6_000 })
  expect(countsOf(await installed(next(many)))).toMatchObject({ updated: 0, unchanged: 6_000 })
  expect(await remembered()).toBe(0)
})

test('two definitions with data of each are planned, installed and refused as with it', async () => {
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const files = pluginFiles({
    EngineEntities: {
      files: {
        'Place.json': { name: 'Place', pks },
        'Thing.json': { name: 'Thing', pks },
      },
    },
    Place: { files: { 'data.json': [{ id: 1, name: 'Top' }] } },
    Thing: { files: { 'data.json': [{ id: 1, name: 'Cup', place: 1 }] } },
  })
  const { body } = await upload(deps, files, { query: '?dryRun=true' })
  expect(body.data.plan).toMatchObject({ status: 'SUCCESS', totalFiles: 4, recordCount: 2 })
  expect(await search()).toEqual([])
  expect((await install(deps, files)).body.data).toMatchObject({ successCount: 4, failedCount: 0 })
  const second = await install(deps, files)
  expect(second.body.data).toMatchObject({ successCount: 2, failedCount: 2 })
  expect(second.logs.map(({ error }) => error).filter(Boolean)).toEqual([
    'Conflict Issue!',
    'Conflict Issue!',
  ])
})

test('an install that is not remembered is not rolled back', async () => {
  await installed(next(THREE))
  const { id } = one(
    await rows<{ id: number }>(deps.db, sql`select max(id)::int as id from engine.installs`),
  )
  const { status, body } = await call(deps, ROLL_BACK, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback`,
    params: { id: String(id) },
    as: 'ADMIN',
  })
  expect([status, body.error]).toEqual([
    409,
    `What installation ${id} changed is no longer remembered`,
  ])
})
