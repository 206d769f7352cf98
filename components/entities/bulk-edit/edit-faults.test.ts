import { expect, test } from 'vitest'
import { ApiError } from '@/lib/http/client'
import { editFaults } from './edit-faults'

const refused = (errors: string[], meta = {}) =>
  new ApiError(
    400,
    'refused',
    errors.map((error) => ({ field: 'set.pages', error })),
    meta,
  )

test('records are grouped by the reason', () => {
  const error = refused(
    [
      'must be at least 1 (record 4 would get 0)',
      'must be at least 1 (record 5 would get -1)',
      'must be a whole number (record 6 would get 1.5)',
    ],
    { validationCount: 10 },
  )
  expect(editFaults(error)).toEqual({
    value: null,
    groups: [
      {
        field: 'pages',
        reason: 'must be at least 1',
        count: 2,
        examples: ['record 4 would get 0', 'record 5 would get -1'],
      },
      {
        field: 'pages',
        reason: 'must be a whole number',
        count: 1,
        examples: ['record 6 would get 1.5'],
      },
    ],
    unlisted: 7,
  })
})

test('a fault of the value itself names no record', () => {
  expect(editFaults(refused(['must be at least 1']))).toEqual({
    value: 'must be at least 1',
    groups: [],
    unlisted: 0,
  })
})

test('other errors have none', () => {
  expect(editFaults(new ApiError(503, 'busy'))).toBeNull()
  expect(editFaults(new Error('no'))).toBeNull()
  expect(editFaults(null)).toBeNull()
})
