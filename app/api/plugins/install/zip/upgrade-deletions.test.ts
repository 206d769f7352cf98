import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { CHANGED, edit, next, remove, THREE, upgrade } from '../../testing/upgrades'
import { deps, installed, search } from '../../testing/versions'

test('records deleted here stay deleted unless the plugin changed them and they are taken', async () => {
  await installed(next(THREE))
  await remove(2, 3)
  const { counts, log } = await upgrade(CHANGED)
  expect(counts).toEqual([0, 1, 2])
  expect(log?.conflicts).toMatchObject([{ key: '3', change: 'deleted', decision: 'keep' }])
  expect(await upgrade(CHANGED)).toMatchObject({ counts: [0, 0, 3], log: { conflictCount: 0 } })
  expect((await upgrade(CHANGED, '&onConflict=take')).counts).toEqual([0, 0, 3])
  const changedAgain = [...CHANGED.slice(0, 2), { id: 3, name: 'Spoon', price: 2 }]
  expect((await upgrade(changedAgain, '&onConflict=take')).counts).toEqual([1, 0, 2])
})

test('an emptied table is filled again', async () => {
  await installed(next(THREE))
  await remove(1, 2, 3)
  expect((await upgrade(THREE)).counts).toEqual([3, 0, 0])
  expect((await upgrade(THREE)).counts).toEqual([0, 0, 3])
})

test('records that the archive no longer has stay, or go to the trash if nobody changed them', async () => {
  await installed(next(THREE))
  await edit(`price = 9`, 2)
  const kept = await upgrade(THREE.slice(0, 1))
  expect(kept.log?.removed).toEqual({ total: 2, deleted: 0 })
  const { log } = await upgrade(THREE.slice(0, 1), '&removed=delete')
  expect(log?.removed).toEqual({ total: 2, deleted: 1 })
  expect(await search({ fields: ['id'] })).toEqual([{ id: 1 }, { id: 2 }])
  expect(
    await rows(deps.db, sql`select data ->> 'name' as name from engine.trash_records`),
  ).toEqual([{ name: 'Fork' }])
})
