import { expect, test } from 'vitest'
import { CHANGED, next, remove, THREE, upgrade } from '../../testing/upgrades'
import { installed } from '../../testing/versions'

test('records deleted here stay deleted unless the plugin changed them and they are taken', async () => {
  await installed(next(THREE))
  await remove(2, 3)
  const { counts, log } = await upgrade(CHANGED)
  expect(counts).toEqual([0, 1, 0])
  expect(log?.conflicts).toMatchObject([{ key: '3', change: 'deleted', decision: 'keep' }])
  expect(await upgrade(CHANGED)).toMatchObject({ counts: [0, 0, 1], log: { conflictCount: 0 } })
  expect((await upgrade(CHANGED, '&onConflict=take')).counts).toEqual([0, 0, 1])
  const changedAgain = [...CHANGED.slice(0, 2), { id: 3, name: 'Spoon', price: 2 }]
  expect((await upgrade(changedAgain, '&onConflict=take')).counts).toEqual([1, 0, 1])
})

test('an emptied table is filled again', async () => {
  await installed(next(THREE))
  await remove(1, 2, 3)
  expect((await upgrade(THREE)).counts).toEqual([3, 0, 0])
  expect((await upgrade(THREE)).counts).toEqual([0, 0, 3])
})
