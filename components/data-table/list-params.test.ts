import { describe, expect, it } from 'vitest'
import { searchKey } from '@/lib/query/search-key'
import { exactJsonText } from '@/lib/values/exact-json'
import { moved } from './column'
import { type Condition, parseFilter } from './filter/condition'
import { describe as inWords } from './filter/field'
import { listParams, toQuery, toSearch } from './list-params'
import { pageNumbers } from './pager'
import { nextSort } from './use-list-state'

const params = { page: 3, size: 25, sort: [], filter: [], cols: null, q: '' }

describe('a list’s address', () => {
  it('counts pages from one and asks from zero', () => {
    expect(toSearch(params).pagination).toEqual({ page: 2, size: 25 })
  })

  it('never asks for a page before the first or a size over the limit', () => {
    expect(toSearch({ ...params, page: -4, size: 9000 }).pagination).toEqual({
      page: 0,
      size: 1000,
    })
  })

  it('reads back the sort it writes, field names with colons included', () => {
    const sort = [{ field: 'a:b', direction: 'desc' as const }]
    expect(listParams.sort.parse(listParams.sort.serialize(sort))).toEqual(sort)
  })

  it('reads back names with commas, backslashes and quotes', () => {
    const names = ['a,b', 'a', '\\', 'c\\,d', ',', '"e"', ' ']
    expect(listParams.cols.parse(listParams.cols.serialize(names))).toEqual(names)
    const sort = names.map((field) => ({ field, direction: 'asc' as const }))
    expect(listParams.sort.parse(listParams.sort.serialize(sort))).toEqual(sort)
    expect(listParams.cols.eq(['a,b'], ['a', 'b'])).toBe(false)
  })

  it('reads addresses with plain names as before', () => {
    expect(listParams.cols.parse('id,,name')).toEqual(['id', 'name'])
    expect(listParams.sort.parse('id:desc,name')).toEqual([
      { field: 'id', direction: 'desc' },
      { field: 'name', direction: 'asc' },
    ])
  })

  it('searches the named fields beside the filter', () => {
    const filter = [{ field: 'status', operator: 'eq', value: 'x' }]
    expect(toQuery({ filter, q: ' jo ' }, ['email', 'name'])).toEqual([
      ...filter,
      {
        operator: 'or',
        filters: [
          { field: 'email', operator: 'icontains', value: 'jo' },
          { field: 'name', operator: 'icontains', value: 'jo' },
        ],
      },
    ])
  })

  it('keeps every digit of a number in the filter, in the request and on the chip', () => {
    const text = '[{"field":"a","operator":"in","value":[9007199254740993,1.10]}]'
    const filter = listParams.filter.parse(text) ?? []
    expect(listParams.filter.serialize(filter)).toBe(text)
    expect(exactJsonText(toSearch({ ...params, filter }))).toContain('[9007199254740993,1.10]')
    expect(inWords(filter[0] as Condition, [])).toBe('a is one of 9007199254740993, 1.10')
    const next = listParams.filter.parse(text.replace('993', '992')) ?? []
    expect(listParams.filter.eq(filter, next)).toBe(false)
    const keys = [filter, next].map((query) => searchKey('A', { query }))
    expect(keys[0]).not.toEqual(keys[1])
    expect(JSON.parse(JSON.stringify(keys[0]))).toEqual(keys[0])
  })

  it('reads a filter that is written as in the API', () => {
    expect(parseFilter('age:gt:30,"home, town":in:a|"b|c",left:isnull')).toEqual([
      { field: 'age', operator: 'gt', value: '30' },
      { field: 'home, town', operator: 'in', value: ['a', 'b|c'] },
      { field: 'left', operator: 'isnull' },
    ])
  })

  it('sends a filter it can’t read to the server instead of dropping it', () => {
    expect(parseFilter('{oops')).toEqual([{ field: '', operator: 'unreadable', value: '{oops' }])
  })
})

describe('sorting', () => {
  it('turns, then ends', () => {
    const up = nextSort([], 'a', false)
    const down = nextSort(up, 'a', false)
    expect([up[0]?.direction, down[0]?.direction, nextSort(down, 'a', false)]).toEqual([
      'asc',
      'desc',
      [],
    ])
  })

  it('keeps the other columns when asked to', () => {
    const sort = nextSort([{ field: 'a', direction: 'asc' }], 'b', true)
    expect(sort.map(({ field }) => field)).toEqual(['a', 'b'])
  })
})

describe('page numbers', () => {
  it.each([
    [1, 1, [1]],
    [1, 0, [1]],
    [5, 9, [1, null, 4, 5, 6, null, 9]],
    [2, 3, [1, 2, 3]],
  ])('page %i of %i', (page, pages, expected) => {
    expect(pageNumbers(page, pages)).toEqual(expected)
  })
})

it('moves a column to a place', () => {
  expect(moved(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a'])
})

it('says a condition in words', () => {
  const fields = [{ name: 'at', label: 'Created', kind: 'datetime' as const }]
  expect(inWords({ field: 'at', operator: 'gt', value: '2026' }, fields)).toBe(
    'Created is after 2026',
  )
  const nested = {
    operator: 'or' as const,
    filters: [
      { field: 'a', operator: 'isnull' },
      { field: 'b', operator: 'in', value: [1, 2] },
    ],
  }
  expect(inWords(nested, fields)).toBe('(a is empty or b is one of 1, 2)')
})
