import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { ID, NOTES_ID, notesPlugin, toTrash, versionOf } from '../testing/edited-versions'
import { exportPlugin } from '../testing/export-api'
import { install, upload, verdicts } from '../testing/plugin-api'
import { rolledBack } from '../testing/rollbacks'
import { SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'
import { deps, installed } from '../testing/versions'

const owners = async () =>
  (
    await rows<{ owner: string | null }>(
      deps.db,
      sql`select distinct plugin_id as owner from
        (select plugin_id from engine.entities union all select plugin_id from engine.schemas
         union all select plugin_id from engine.types) as t`,
    )
  ).map(({ owner }) => owner)

/** The shop is installed, and uninstalled without its entities. */
async function kept(): Promise<string[]> {
  await installed(SHOP)
  const { files } = await exportPlugin(deps, SHOP_ID)
  expect((await uninstall(deps, SHOP_ID, '?records=keep')).status).toBe(200)
  expect(await owners()).toEqual([null])
  return Object.keys(files)
}

const definitions = (outcomes: Record<string, unknown>) =>
  Object.entries(outcomes).flatMap(([path, outcome]) =>
    /^Engine(Types|Schemas|Entities)/.test(path) ? [outcome] : [],
  )

describe('entities that an uninstalled plugin left behind', () => {
  test('are its own again when the same archive is installed, and in its export', async () => {
    const paths = await kept()
    const planned = await upload(deps, SHOP, { query: '?dryRun=true' })
    const { logs } = await install(deps, SHOP)
    expect(verdicts(planned.body.data.plan.files)).toEqual(verdicts(logs))
    expect(new Set(definitions(verdicts(logs)))).toEqual(new Set(['updated']))
    expect(logs.flatMap(({ changes }) => changes)).toContain('Book belonged to no plugin')
    expect(await owners()).toEqual([SHOP_ID])
    expect(Object.keys((await exportPlugin(deps, SHOP_ID)).files)).toEqual(paths)
  })

  test('belong to no plugin again when that install is rolled back', async () => {
    await kept()
    const { body } = await install(deps, SHOP)
    const back = await rolledBack(body.data.history)
    expect(await owners()).toEqual([null])
    await rolledBack(back)
    expect(await owners()).toEqual([SHOP_ID])
  })
})

describe('GET /api/plugins/:id/export, of what another plugin owns', () => {
  const other = { id: 'com.example.other' }

  test('has what the plugin defines, whichever plugin owns it', async () => {
    await installed(versionOf('one'))
    await installed(versionOf('one', other))
    for (const id of [ID, other.id])
      expect(Object.keys((await exportPlugin(deps, id)).files)).toContain(
        'EngineEntities/Item.json',
      )
  })

  test('has it when the other one took it with a change', async () => {
    await installed(versionOf('one'))
    await installed(versionOf('two', { ...other, more: { auditable: true } }))
    const { files } = await exportPlugin(deps, ID)
    expect(files['EngineEntities/Item.json']).toContain('"auditable": true')
    expect(files['Item/data.json']).toContain('"two"')
  })

  test('is refused when what it defines is gone', async () => {
    await installed(versionOf('one'))
    await installed(versionOf('one', other))
    await toTrash()
    const { status, error } = await exportPlugin(deps, other.id)
    expect([status, error]).toEqual([
      409,
      'The plugin "com.example.other" defines what is no longer installed: the schema "Item", the entity "Item"; install it again before it is exported',
    ])
  })

  test('is refused for a plugin that defines nothing', async () => {
    await installed(versionOf('one'))
    await installed(notesPlugin('x'))
    const { status, error } = await exportPlugin(deps, NOTES_ID)
    expect(status).toBe(409)
    expect(error).toContain('POST /api/plugins/export')
  })
})
