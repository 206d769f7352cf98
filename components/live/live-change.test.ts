import { expect, test } from 'vitest'
import { differingFields, withEmpty } from './live-change'

test('a field that was emptied or filled differs', () => {
  const [empty, full] = [withEmpty({ id: 1 }, ['pages']), withEmpty({ id: 1, pages: 7 }, ['pages'])]
  expect(empty).toEqual({ id: 1, pages: null })
  expect(differingFields(full, empty)).toEqual(['pages'])
  expect(differingFields(empty, full)).toEqual(['pages'])
})
