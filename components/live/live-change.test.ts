import { expect, test } from 'vitest'
import { differingFields } from './live-change'

test('a field that was emptied or filled differs', () => {
  const [empty, full] = [
    { id: 1, pages: null },
    { id: 1, pages: 7 },
  ]
  expect(differingFields(full, empty)).toEqual(['pages'])
  expect(differingFields(empty, full)).toEqual(['pages'])
})
