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
        fields: ['pages'],
        reason: 'must be at least 1',
        count: 2,
        value: null,
        examples: ['record 4 would get 0', 'record 5 would get -1'],
      },
      {
        fields: ['pages'],
        reason: 'must be a whole number',
        count: 1,
        value: null,
        examples: ['record 6 would get 1.5'],
      },
    ],
    unlisted: 7,
  })
})

const taken = (field: string, errors: string[]) =>
  editFaults(
    new ApiError(
      409,
      'refused',
      errors.map((error) => ({ field, error })),
    ),
  )?.groups

test('of a value that has to be unique it is said how many would have it', () => {
  const isAlso = '"name" must be unique: "Same" is also in record AD'
  expect(
    taken('set.name', [
      `${isAlso} (record AE would get Same)`,
      `${isAlso} (record AF would get Same)`,
    ]),
  ).toEqual([
    {
      fields: ['name'],
      reason: 'must be unique',
      count: 3,
      value: '"Same"',
      examples: ['record AE', 'record AF'],
    },
  ])
  const exists = '"name" must be unique: "Same" exists already'
  expect(taken('set.name', [`${exists} (record AE would get Same)`])).toMatchObject([
    { count: 1, value: '"Same"' },
  ])
})

test('different values that are taken stand at their records', () => {
  expect(
    taken('set.name', [
      'Names: "name" must be unique: "A!" exists already (record 1 would get A!)',
      'Names: "name" must be unique: "B!" exists already (record 2 would get B!)',
    ]),
  ).toMatchObject([
    { count: 2, value: null, examples: ['record 1 would get A!', 'record 2 would get B!'] },
  ])
})

test('values that are unique together', () => {
  const error = '"city", "name" must be unique: "Rome", "Ann" exists already (record 1)'
  expect(taken('set', [error])).toMatchObject([
    { fields: ['city', 'name'], reason: 'must be unique together', value: '"Rome", "Ann"' },
  ])
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
