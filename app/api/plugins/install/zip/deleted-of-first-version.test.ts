import { expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { undoTwice } from '../../testing/rollbacks'
import {
  deleteWhere,
  empty,
  installShared,
  NONE,
  type Records,
  shared,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { deps, installed, type Version } from '../../testing/versions'

const COUNTED = { entity: { pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }] } }
const { a = [], b = [], c = [] } = twelve()
const REFUSED = [{ id: 'none' }]

test.each<[string, Version, Records]>([
  ['with keys', {}, twelve()],
  ['without keys', COUNTED, twelve(() => ({}))],
])('all records of the first version that were deleted stay so, %s', async (_, more, records) => {
  const { a, b, c } = records as Required<Records>
  await installed(shared({ a }, more))
  await installed(shared({ a, b }, more))
  await deleteWhere('id <= 3')
  const next = shared({ a, b, c }, more)
  expect(sumOf(await installShared(next))).toEqual({ ...NONE, created: 3, unchanged: 3, kept: 3 })
  expect(sumOf(await installShared(next))).toEqual({ ...NONE, unchanged: 6, kept: 3 })
})

test('deleted records stay so where the only others are some that were brought back', async () => {
  await installed(shared({ a }))
  await deleteWhere('id = 1')
  await installShared(shared({ a }), '&deleted=restore')
  await deleteWhere('id > 1')
  expect(sumOf(await installShared(shared({ a })))).toEqual({ ...NONE, unchanged: 1, kept: 2 })
})

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
