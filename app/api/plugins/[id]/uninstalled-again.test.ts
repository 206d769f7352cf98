import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  driftOf,
  edit,
  edited,
  end,
  expire,
  GIVER,
  giver,
  ID,
  life,
  lived,
  remembered,
  remove,
  restored,
  stored,
} from '../testing/lives'
import { logsOf, upload } from '../testing/plugin-api'
import { deps, installed } from '../testing/versions'

const UPGRADED = [
  { id: 'a', v: 'two', w: 'two' },
  { id: 'b', v: 'two', w: 'edited' },
]

describe('what a plugin gave, after it was installed and uninstalled again', () => {
  test('comes back with the records of its first life', async () => {
    const first = await lived('one')
    await installed(life('two'))
    await end()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const { body } = await upload(deps, life('two'))
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

  test('comes back with each of its lives, in any order', async () => {
    const batches = [await lived('one'), await lived('two'), await lived('three')]
    const values = ['one', 'two', 'three']
    for (const at of [0, 2, 1, 0, 1, 2]) {
      await restored(batches[at] ?? '')
      expect(await driftOf()).toEqual([edited(values[at] ?? '')])
      expect(await remembered()).toBe(6)
      batches[at] = await end()
    }
    for (const batch of batches) await remove(batch)
    expect(await remembered()).toBe(0)
  })

  test.each([
    ['deleted for good', remove],
    ['expired', expire],
  ])('stays when its second life is %s', async (_, destroy) => {
    const first = await lived('one')
    await destroy(await lived('one'))
    expect(await remembered()).toBe(2)
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    await installed(life('two'))
    expect(await stored()).toEqual(UPGRADED)
  })

  test.each([
    ['deleted for good', remove],
    ['expired', expire],
  ])('stays of its second life when the first one is %s', async (_, destroy) => {
    const first = await lived('one')
    const second = await lived('two')
    await destroy(first)
    expect(await remembered()).toBe(2)
    await restored(second)
    expect(await driftOf()).toEqual([edited('two')])
  })

  test('stays of the life that is installed, whatever is deleted for good', async () => {
    const [first, second] = [await lived('one'), await lived('two')]
    await installed(life('three'))
    await edit()
    await remove(second)
    await remove(first)
    expect(await driftOf()).toEqual([edited('three')])
    expect(await remembered()).toBe(2)
  })

  test('is not what a life without data, which ended later, gave', async () => {
    const first = await lived('one')
    await installed(life('two'))
    await deps.db.execute(sql`delete from engine.plugin_records where entity = 'Item'`)
    const second = await end()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const again = await end()
    await restored(second)
    expect(await remembered()).toBe(2)
    await remove(again)
    expect(await remembered()).toBe(0)
  })

  test('stays when another entity gets the name', async () => {
    const first = await lived('one')
    await installed(life('two', { name: 'Former' }))
    await installed(life('three', { more: { renamedFrom: ['Former'] } }))
    await edit()
    expect(await driftOf()).toEqual([edited('three')])
    await end()
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
  })

  test('goes and comes back with what another plugin gave of its entities', async () => {
    await installed(life('one'))
    await installed(giver('x'))
    await deps.db.execute(
      sql`update entities.item set "$extra" = '{"note": "mine"}' where id = 'b'`,
    )
    const note = [{ field: 'note', base: 'x', ours: 'mine' }]
    const before = await driftOf(GIVER)
    expect(before).toEqual([expect.objectContaining({ key: 'b', fields: note })])
    const first = await end()
    await installed(life('two'))
    await installed(giver('y'))
    const second = await end()
    await restored(first)
    expect(await driftOf(GIVER)).toEqual(before)
    await remove(second)
    expect(await driftOf(GIVER)).toEqual(before)
    expect(await remembered()).toBe(4)
  })

  test('goes and comes back of all plugins that were uninstalled together', async () => {
    const other = { id: 'com.example.other', name: 'Other' }
    const both = async (v: string) => {
      await installed(life(v))
      await installed(life(v, other))
      await edit()
      await edit('other')
    }
    await both('one')
    const first = await end(`?with=${other.id}`)
    await both('two')
    await remove(await end(`?with=${other.id}`))
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    expect(await driftOf(other.id)).toEqual([edited('one', 'Other')])
  })

  test('stays by its name while its entities are kept', async () => {
    const first = await lived('one')
    await installed(life('two'))
    await edit()
    const kept = await end('?records=keep')
    expect(await remembered()).toBe(4)
    await restored(kept)
    expect(await driftOf()).toEqual([edited('two')])
    await remove(first)
    expect(await driftOf()).toEqual([edited('two')])
    expect(await remembered()).toBe(2)
  })

  test('is that of the last life in batches of earlier versions, which forgot the others', async () => {
    const first = await lived('one')
    await installed(life('one'))
    const second = await end()
    await deps.db.execute(sql`delete from engine.plugin_records where entity <> 'Item'`)
    await deps.db.execute(sql`update engine.trash_batches set removed = removed - 'remembers'`)
    await restored(first)
    expect(await driftOf()).toEqual([edited('one')])
    const again = await end()
    await restored(second)
    expect(await driftOf()).toEqual([])
    await remove(again)
    expect(await remembered()).toBe(2)
  })

  test('is not changed by the dry run of an install', async () => {
    const first = await lived('one')
    const { body } = await upload(deps, life('two'), { query: '?dryRun=true' })
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
