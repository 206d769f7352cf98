import { describe, expect, test } from 'vitest'
import { nameOf, titleFields } from './record-title'
import { batchSize, keyOfValues, titlesByKey, titlesSearch } from './reference-titles'
import type { ColumnDescription } from './types'

const column = (name: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: 'string',
  kind: 'text',
  key: false,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
  ...more,
})
const key = (name: string, kind: ColumnDescription['kind'] = 'text') =>
  column(name, { key: true, kind, type: kind })
const CUSTOMER = [key('id', 'integer'), column('city'), column('name')]
const CITY = [key('country'), key('name'), column('mayor')]

describe('the fields that name a record', () => {
  test.each([
    [
      'one called so',
      [key('id'), column('note'), column('Display_Name')],
      ['Display_Name', 'note'],
    ],
    ['several called so', [column('email'), column('title')], ['title', 'email']],
    [
      'else the first short text',
      [
        key('id'),
        column('state', { rules: { enum: ['on'] } }),
        column('body', { type: 'text' }),
        column('site', { type: 'url' }),
        column('city', { rules: { reference: { entity: 'City', field: 'id' } } }),
        column('motto'),
      ],
      ['motto'],
    ],
    ['else any text', [key('id'), column('body', { type: 'text' })], ['body']],
    ['none', [key('id'), column('size', { kind: 'integer' })], []],
  ])('%s', (_, columns, expected) => {
    expect(titleFields(columns)).toEqual(expected)
  })

  test('an empty one gives way to the next', () => {
    const columns = [key('id'), column('name'), column('email')]
    expect(nameOf({ persistenceId: '1', name: ' ', email: 'a@b.c' }, columns)).toBe('a@b.c')
    expect(nameOf({ persistenceId: '1', name: null }, columns)).toBeNull()
  })
})

describe('titles of a page of references', () => {
  test('are one search by ids, for keys and names alone', () => {
    expect(titlesSearch(CUSTOMER, [{ id: '1' }, { id: '2' }])).toEqual({
      fields: ['id', 'name', 'city'],
      query: [{ field: 'id', operator: 'in', value: ['1', '2'] }],
      pagination: { page: 0, size: 2 },
      count: 'none',
    })
  })

  test('do not ask for what can’t be a key, which would have all refused', () => {
    const search = titlesSearch(CUSTOMER, [{ id: 'abc' }, { id: '' }, { id: '2' }])
    expect(search?.query).toEqual([{ field: 'id', operator: 'in', value: ['2'] }])
    expect(titlesSearch(CUSTOMER, [{ id: 'abc' }])).toBeNull()
  })

  test('of composite keys are found by all parts', () => {
    const bonn = { name: 'Bonn', country: 'DE' }
    const search = titlesSearch(CITY, [bonn])
    expect(search?.query).toEqual([
      {
        operator: 'or',
        filters: [
          {
            operator: 'and',
            filters: [
              { field: 'name', operator: 'eq', value: 'Bonn' },
              { field: 'country', operator: 'eq', value: 'DE' },
            ],
          },
        ],
      },
    ])
    expect(batchSize(['name', 'country']) * 3).toBeLessThanOrEqual(500)
    const found = titlesByKey(
      [{ persistenceId: 'x', country: 'DE', name: 'Bonn', mayor: 'Katja' }],
      CITY,
      ['name', 'country'],
    )
    // The name is part of the key, which is shown anyway.
    expect(found.get(keyOfValues({ country: 'DE', name: 'Bonn' }))).toBeNull()
  })

  test('are found by the values that refer to them', () => {
    const records = [{ persistenceId: '2', id: 2, name: 'Acme', city: null }]
    expect(titlesByKey(records, CUSTOMER, ['id']).get(keyOfValues({ id: '2' }))).toBe('Acme')
  })
})
