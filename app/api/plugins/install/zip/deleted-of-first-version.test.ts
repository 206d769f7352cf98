import { expect, test } from 'vitest'
import {
  deleteWhere,
  installShared,
  NONE,
  type Records,
  shared,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { installed, type Version } from '../../testing/versions'

const COUNTED = { entity: { pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }] } }
const { a = [] } = twelve()

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
