import { describe, expect, test } from 'vitest'
import { creationHref, recordsHref, referringTo, referringToMatches } from './referring'

const order = {
  entity: 'Order',
  field: 'customer',
  label: null,
  reference: { entity: 'Customer', field: 'id' },
}
const street = {
  entity: 'Street',
  field: 'city',
  label: null,
  reference: { entity: 'City', field: 'name', with: { land: 'country' } },
}

describe('the records that refer to one', () => {
  test('have its value', () => {
    const record = { persistenceId: '5', id: 5, name: 'Acme' }
    expect(referringTo(order, record)).toEqual([{ field: 'customer', operator: 'eq', value: 5 }])
  })

  test('are created with all values of their reference', () => {
    const bonn = { persistenceId: 'x', country: 'D:E', name: 'Bonn' }
    const url = new URL(creationHref('Street', referringTo(street, bonn) ?? []), 'http://x')
    expect(url.pathname).toBe('/entities/Street')
    expect(url.searchParams.get('with')).toBe('city:Bonn:land:D\\:E')
  })

  test('have all values of a composite reference', () => {
    const bonn = { persistenceId: 'x', country: 'DE', name: 'Bonn' }
    expect(referringTo(street, bonn)).toEqual([
      { field: 'city', operator: 'eq', value: 'Bonn' },
      { field: 'land', operator: 'eq', value: 'DE' },
    ])
  })

  test('can’t exist where the value is empty', () => {
    expect(referringTo(order, { persistenceId: '5', id: null })).toBeNull()
    expect(referringTo(order, { persistenceId: '5' })).toBeNull()
  })
})

describe('the records that refer to some that match', () => {
  const isSet = (field: string) => ({ field, operator: 'notnull' })

  test('match beyond the reference, and the reference itself where the key is meant', () => {
    const query = [
      { field: 'id', operator: 'in', value: [1, 2] },
      {
        operator: 'not' as const,
        filters: [{ field: 'city.country', operator: 'eq', value: 'DE' }],
      },
    ]
    expect(referringToMatches(order, query)).toEqual([
      { field: 'customer', operator: 'in', value: [1, 2] },
      {
        operator: 'not',
        filters: [{ field: 'customer.city.country', operator: 'eq', value: 'DE' }],
      },
      isSet('customer'),
    ])
  })

  test('go through the reference for each part of a composite key', () => {
    const query = [
      { field: 'name', operator: 'eq', value: 'Bonn' },
      { field: 'country', operator: 'eq', value: 'DE' },
    ]
    expect(referringToMatches(street, query)).toEqual([
      { field: 'city.name', operator: 'eq', value: 'Bonn' },
      { field: 'city.country', operator: 'eq', value: 'DE' },
    ])
  })

  test.each([
    { field: 'name', operator: 'ne', value: 'Acme' },
    { field: 'name', operator: 'isnull' },
    { field: 'name', operator: 'in', value: ['Acme', null] },
    { operator: 'or' as const, filters: [{ field: 'name', operator: 'nin', value: ['Acme'] }] },
  ])('refer to something, also where $operator holds of nothing', (condition) => {
    expect(referringToMatches(order, [condition])).toContainEqual(isSet('customer'))
  })

  test('are all that refer when all records are meant', () => {
    expect(referringToMatches(order, [])).toEqual([isSet('customer')])
  })

  test('are not known by an id', () => {
    const query = [{ field: 'persistenceId', operator: 'eq', value: '1' }]
    expect(referringToMatches(order, query)).toBeNull()
  })
})

test('the page of records has the filter in its address', () => {
  const href = recordsHref('Order', [{ field: 'customer', operator: 'eq', value: 5 }])
  const filter = new URL(href, 'http://x').searchParams.get('filter')
  expect(JSON.parse(filter ?? '')).toEqual([{ field: 'customer', operator: 'eq', value: 5 }])
  expect(recordsHref('A/b')).toBe('/entities/A%2Fb')
})
