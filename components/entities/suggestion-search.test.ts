import { describe, expect, test } from 'vitest'
import { stillMatching, suggestionSearch } from './suggestion-search'
import type { ColumnDescription } from './types'

const column = (name: string, kind: ColumnDescription['kind'], key = false): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: kind,
  kind,
  key,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
})
const CUSTOMER = [column('id', 'integer', true), column('name', 'text'), column('size', 'integer')]
const toCustomer = { entity: 'Customer', field: 'id' }

describe('suggestions for a reference', () => {
  test('are the first records while nothing is typed', () => {
    expect(suggestionSearch(CUSTOMER, toCustomer, '')).toMatchObject({
      fields: ['persistenceId', 'id', 'name'],
      query: [],
    })
  })

  test('are found by name, and by a number that is an id', () => {
    const name = (value: string) => ({ field: 'name', operator: 'icontains', value })
    const filtersOf = (term: string) => suggestionSearch(CUSTOMER, toCustomer, term)?.query
    expect(filtersOf('ac')).toEqual([{ operator: 'or', filters: [name('ac')] }])
    expect(filtersOf('12')).toEqual([
      { operator: 'or', filters: [{ field: 'id', operator: 'eq', value: '12' }, name('12')] },
    ])
  })

  test('wait for the fields, and for something to search by', () => {
    expect(suggestionSearch([], toCustomer, '')).toBeNull()
    expect(suggestionSearch([column('id', 'integer', true)], toCustomer, 'ac')).toBeNull()
  })

  test('have every field of a composite reference', () => {
    const reference = { entity: 'City', field: 'name', with: { land: 'country' } }
    const city = [column('country', 'text', true), column('name', 'text', true)]
    expect(suggestionSearch(city, reference, '')?.fields).toEqual([
      'persistenceId',
      'name',
      'country',
    ])
  })

  test('of an earlier text are kept only while they match what is typed', () => {
    const hall = { persistenceId: '1', id: 1, name: 'Hall' }
    const attic = { persistenceId: '2', id: 2, name: 'Attic' }
    const unnamed = { persistenceId: '3', id: 3, name: null }
    const keptOf = (term: string) =>
      stillMatching([hall, attic, unnamed], toCustomer, { columns: CUSTOMER, term })
    expect(keptOf('')).toEqual([hall, attic, unnamed])
    expect(keptOf('att')).toEqual([attic])
    expect(keptOf('3')).toEqual([unnamed])
    expect(keptOf('nul')).toEqual([])
  })
})
