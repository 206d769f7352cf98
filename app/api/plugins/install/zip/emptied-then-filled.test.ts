import { expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { undoTwice } from '../../testing/rollbacks'
import {
  deleteWhere,
  empty,
  installShared,
  NONE,
  shared,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { deps, installed } from '../../testing/versions'

const { a = [], b = [], c = [] } = twelve()
const REFUSED = [{ id: 'none' }]

test('an emptied entity is filled to the end also after an install that only added records', async () => {
  await installed(shared({ a, b }))
  await empty()
  await install(deps, shared({ a: REFUSED, b: REFUSED, c }))
  const next = shared({ a, b, c })
  expect(sumOf(await installShared(next))).toEqual({ ...NONE, created: 6, unchanged: 3 })
  await deleteWhere('id <= 6')
  expect(sumOf(await installShared(next))).toEqual({ ...NONE, unchanged: 3, kept: 6 })
})

test('the rollback of an install that filled a part leaves what was remembered before', async () => {
  await installed(shared({ a, b }))
  await empty()
  const fillPart = async () => (await install(deps, shared({ a, b: REFUSED }))).body.data.history
  await undoTwice(fillPart)
  expect(sumOf(await installShared(shared({ a, b })))).toEqual({
    ...NONE,
    created: 3,
    unchanged: 3,
  })
})
