import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { parseFieldsText, parseFilterText, parseSortText } from './parse-search-text'

const is = (field: string, operator: string, value?: unknown) =>
  value === undefined ? { field, operator } : { field, operator, value }

describe('a filter', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['a:eq:1', [is('a', 'eq', '1')]],
    ['a:eq:1,b:LT:2', [is('a', 'eq', '1'), is('b', 'LT', '2')]],
    ['a:eq:1, b:eq:2', [is('a', 'eq', '1'), is('b', 'eq', '2')]],
    ['a:eq:10:30:00', [is('a', 'eq', '10:30:00')]],
    ['a:eq: x ', [is('a', 'eq', ' x ')]],
    ['a:eq:', [is('a', 'eq', '')]],
    ['a:eq:"Doe, John"', [is('a', 'eq', 'Doe, John')]],
    ['a:eq:"say \\"hi\\" \\\\"', [is('a', 'eq', 'say "hi" \\')]],
    ['a:eq:5" pipe', [is('a', 'eq', '5" pipe')]],
    ['a:like:\\d%', [is('a', 'like', '\\d%')]],
    ['a:eq:x|y', [is('a', 'eq', 'x|y')]],
    ['a:in:x|y', [is('a', 'in', ['x', 'y'])]],
    ['a:in:x', [is('a', 'in', ['x'])]],
    ['a:in:', [is('a', 'in', [''])]],
    ['a:IN:"x|y"|z|', [is('a', 'IN', ['x|y', 'z', ''])]],
    ['a:between:18|65', [is('a', 'between', ['18', '65'])]],
    ['a:eq:null', [is('a', 'eq', null)]],
    ['a:eq:"null"', [is('a', 'eq', 'null')]],
    ['a:in:null|"null"|x', [is('a', 'in', [null, 'null', 'x'])]],
    ['a:isnull', [is('a', 'isnull')]],
    ['a:isnull,b:notnull', [is('a', 'isnull'), is('b', 'notnull')]],
    ['"x:y, z":eq:1', [is('x:y, z', 'eq', '1')]],
    ['a.b.0:eq:1', [is('a.b.0', 'eq', '1')]],
    ['a:what:1', [is('a', 'what', '1')]],
    ['a:what', [is('a', 'what')]],
  ])('%s', (text, conditions) => {
    expect(parseFilterText(text)).toEqual(conditions)
  })

  test.each([
    ['a', 1],
    ['a:', 2],
    ['a::1', 2],
    ['a:eq', 4],
    ['a:eq:1,', 7],
    [',a:eq:1', 0],
    ['a:eq:"x', 5],
    ['a:eq:"x"y', 8],
    ['a:in:"x"y|z', 8],
    ['a:eq:"\\n"', 7],
    ['a:isnull:', 8],
    ['a:isnull:x', 8],
  ])('%s is refused with position %i', (text, position) => {
    expect(() => parseFilterText(text)).toThrow(new RegExp(`At position ${position}:`))
  })

  test('of any text is read or refused, never anything else', () => {
    const parts = fc.constantFrom('a', ':', ',', '|', '"', '\\', 'eq', 'in', 'isnull', 'null', ' ')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (list) => {
        try {
          parseFilterText(list.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })

  test('can say every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`
        expect(parseFilterText(`a:eq:${quoted},b:in:${quoted}|${quoted}`)).toEqual([
          is('a', 'eq', value),
          is('b', 'in', [value, value]),
        ])
      }),
    )
  })
})

test('a sort names fields and directions', () => {
  expect(parseSortText('a:DESC, "b,c" ,d.e:asc')).toEqual([
    { field: 'a', direction: 'desc' },
    { field: 'b,c', direction: 'asc' },
    { field: 'd.e', direction: 'asc' },
  ])
  expect(parseSortText('')).toEqual([])
})

test('fields are a list of names', () => {
  expect(parseFieldsText('a, b ,"c,d"')).toEqual(['a', 'b', 'c,d'])
  expect(() => parseFieldsText('a,,b')).toThrow(/position 2/)
})
