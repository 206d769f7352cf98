import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  driftOf,
  edit,
  edited,
  editedThenUninstalled,
  expire,
  ID,
  NOTES_ID,
  notesPlugin,
  remembered,
  remove,
  restored,
  stored,
  toTrash,
  versionOf,
} from '../testing/edited-versions'
import { logsOf, upload } from '../testing/plugin-api'
import { deps, installed } from '../testing/versions'

const UPGRADED = [
  { id: 'a', v: 'two', w: 'two' },
  { id: 'b', v: 'two', w: 'edited' },
]

describe('what a plugin gave, after it was installed and uninstalled again', () => {
  test('comes back with the records of its first installation', async () => {
    const first = await editedThenUninstalled('one')
    await installed(versionOf('two'))
    await toTrash()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const { body } = await upload(deps, versionOf('two'))
    expect(await logsOf(deps, body.data.history)).toContainEqual(
      expect.objectContaining({
        path: 'Item/data.json',
        records: expect.objectContaining({ updated: 2 }),
        conflicts: [
          expect.objectContaining({
            key: 'b',
            decision: 'keep',
            fields: [{ field: 'w', base: 'one', ours: 'edited', theirs: 'two' }],
          }),
        ],
      }),
    )
    expect(await stored()).toEqual(UPGRADED)
  })

  test('comes back with each of its installations, in any order', async () => {
    const batches = [
      await editedThenUninstalled('one'),
      await editedThenUninstalled('two'),
      await editedThenUninstalled('three'),
    ]
    const values = ['one', 'two', 'three']
    for (const at of [0, 2, 1]) {
      await restored(batches[at] ?? '')
      expect(await driftOf()).toEqual([edited(values[at] ?? '')])
      expect(await remembered()).toBe(6)
      batches[at] = await toTrash()
    }
    for (const batch of batches) await remove(batch)
    expect(await remembered()).toBe(0)
  })

  test('stays when its second version is deleted for good', async () => {
    const first = await editedThenUninstalled('one')
    await remove(await editedThenUninstalled('one'))
    expect(await remembered()).toBe(2)
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    await installed(versionOf('two'))
    expect(await stored()).toEqual(UPGRADED)
  })

  test('stays of its second version when the first one has expired', async () => {
    const first = await editedThenUninstalled('one')
    const second = await editedThenUninstalled('two')
    await expire(first)
    expect(await remembered()).toBe(2)
    await restored(second)
    expect(await driftOf()).toEqual([edited('two')])
  })

  test('stays of the version that is installed, whatever is deleted for good', async () => {
    const [first, second] = [await editedThenUninstalled('one'), await editedThenUninstalled('two')]
    await installed(versionOf('three'))
    await edit()
    await remove(second)
    await remove(first)
    expect(await driftOf()).toEqual([edited('three')])
    expect(await remembered()).toBe(2)
  })

  test('is not what a version without data, which ended later, gave', async () => {
    const first = await editedThenUninstalled('one')
    await installed(versionOf('two'))
    await deps.db.execute(sql`delete from engine.plugin_records where entity = 'Item'`)
    const second = await toTrash()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const again = await toTrash()
    await restored(second)
    expect(await remembered()).toBe(2)
    await remove(again)
    expect(await remembered()).toBe(0)
  })

  test('stays when another entity gets the name', async () => {
    const first = await editedThenUninstalled('one')
    await installed(versionOf('two', { name: 'Former' }))
    await installed(versionOf('three', { more: { renamedFrom: ['Former'] } }))
    await edit()
    expect(await driftOf()).toEqual([edited('three')])
    await toTrash()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
  })

  test('goes and comes back with what another plugin gave of its entities', async () => {
    await installed(versionOf('one'))
    await installed(notesPlugin('x'))
    await deps.db.execute(
      sql`update entities.item set "$extra" = '{"note": "mine"}' where id = 'b'`,
    )
    const note = [{ field: 'note', base: 'x', ours: 'mine' }]
    const before = await driftOf(NOTES_ID)
    expect(before).toEqual([expect.objectContaining({ key: 'b', fields: note })])
    const first = await toTrash()
    await installed(versionOf('two'))
    await installed(notesPlugin('y'))
    const second = await toTrash()
    await restored(first)
    expect(await driftOf(NOTES_ID)).toEqual(before)
    await remove(second)
    expect(await driftOf(NOTES_ID)).toEqual(before)
    expect(await remembered()).toBe(4)
  })

  test('goes and comes back of all plugins that were uninstalled together', async () => {
    const other = { id: 'com.example.other', name: 'Other' }
    const both = async (v: string) => {
      await installed(versionOf(v))
      await installed(versionOf(v, other))
      await edit()
      await edit('other')
    }
    await both('one')
    const first = await toTrash(`?with=${other.id}`)
    await both('two')
    await remove(await toTrash(`?with=${other.id}`))
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    expect(await driftOf(other.id)).toEqual([edited('one', 'Other')])
  })

  test('stays by its name while its entities are kept', async () => {
    const first = await editedThenUninstalled('one')
    await installed(versionOf('two'))
    await edit()
    const kept = await toTrash('?records=keep')
    expect(await remembered()).toBe(4)
    await restored(kept)
    expect(await driftOf()).toEqual([edited('two')])
    await remove(first)
    expect(await driftOf()).toEqual([edited('two')])
    expect(await remembered()).toBe(2)
  })

  test('is that of the last version in batches of earlier versions, which forgot the others', async () => {
    const first = await editedThenUninstalled('one')
    await installed(versionOf('one'))
    const second = await toTrash()
    await deps.db.execute(sql`delete from engine.plugin_records where entity <> 'Item'`)
    await deps.db.execute(sql`update engine.trash_batches set removed = removed - 'remembers'`)
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const again = await toTrash()
    await restored(second)
    expect(await driftOf()).toEqual([])
    await remove(again)
    expect(await remembered()).toBe(2)
  })

  test('is not changed by the dry run of an install', async () => {
    const first = await editedThenUninstalled('one')
    const { body } = await upload(deps, versionOf('two'), { query: '?dryRun=true' })
    expect(body.data.plan.files).toContainEqual(
      expect.objectContaining({
        path: 'Item/data.json',
        records: expect.objectContaining({ created: 2 }),
      }),
    )
    await restored(first)
    expect(await driftOf(ID)).toEqual([edited('one')])
  })
})
