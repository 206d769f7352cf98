import { describe, expect, it, test } from 'vitest'
import type { FilterField } from './field'
import { looksTyped } from './looks-typed'
import { parseTyped, soundConditions } from './parse-typed'

const FIELDS: FilterField[] = [
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'createdAt', label: 'Created at', kind: 'datetime' },
  { name: 'pages', label: 'Pages', kind: 'integer' },
  { name: 'size', kind: 'object' },
]
const conditions = (text: string) =>
  parseTyped(text, FIELDS)?.map(({ condition: { field, operator, value } }) =>
    [field, operator, value].filter((part) => part !== undefined),
  )

describe('a typed condition', () => {
  test.each([
    ['title:eq:x', [['title', 'eq', 'x']]],
    ['TITLE:EQ:x', [['title', 'eq', 'x']]],
    ['"Created at":isnull', [['createdAt', 'isnull']]],
    [
      'title:isnull pages:notnull',
      [
        ['title', 'isnull'],
        ['pages', 'notnull'],
      ],
    ],
    ['title:eq:Doe, John', [['title', 'eq', 'Doe, John']]],
    ['title:eq:"a,pages:gt:1"', [['title', 'eq', 'a,pages:gt:1']]],
    ['title:eq:"say \\"hi\\""', [['title', 'eq', 'say "hi"']]],
    ['title:in:a|"b|c"|d', [['title', 'in', ['a', 'b|c', 'd']]]],
    ['title:in:', [['title', 'in', ['']]]],
    ['title:in:a|null', [['title', 'in', ['a', null]]]],
    ['pages:between:1|5', [['pages', 'between', ['1', '5']]]],
    ['title:eq:10:30', [['title', 'eq', '10:30']]],
    ['title:eq:null', [['title', 'eq', null]]],
    ['size.unit.0:eq:cm', [['size.unit.0', 'eq', 'cm']]],
    ['createdAt:gte:7 days ago', [['createdAt', 'gte', '$now(-7d)']]],
    ['createdAt:gte:$today(-7d)', [['createdAt', 'gte', '$today(-7d)']]],
  ])('%s', (text, expected) => {
    expect(conditions(text)).toEqual(expected)
  })

  const two = [
    ['title', 'ilike', 'Book 1'],
    ['pages', 'gt', '5'],
  ]
  test.each([
    'title:ilike:Book 1,pages:gt:5',
    'title:ilike:Book 1, pages:gt:5',
    'title:ilike:Book 1 pages:gt:5',
    'title:ilike:Book 1&pages:gt:5',
    '?filter=title:ilike:Book 1 & pages:gt:5,',
    ' "title":ilike:"Book 1" pages:gt:5 ',
  ])('is one of several: %s', (text) => {
    expect(conditions(text)).toEqual(two)
  })

  it('is taken over when pasted, unless a part of it is wrong', () => {
    expect(soundConditions('title:eq:x,pages:gt:1', FIELDS)).toHaveLength(2)
    expect(soundConditions('title:eq:x,pages:gt:many', FIELDS)).toBeNull()
    expect(soundConditions('just title:eq:x', FIELDS)).toBeNull()
  })

  it('says which field was likely meant', () => {
    expect(parseTyped('titel:eq:x', FIELDS)?.[0]?.fault?.reason).toContain('did you mean “title”?')
    expect(parseTyped('title:eqq:x', FIELDS)?.[0]?.fault?.reason).toContain('did you mean “eq”?')
    expect(parseTyped('pages:eq:x', FIELDS)?.[0]?.fault?.reason).toContain('not a whole number')
  })

  test.each(['', 'a', 'plain words', 'http://a.b', 'title:', ':eq:x'])('is not in: %s', (text) => {
    expect(parseTyped(text, FIELDS)).toBeNull()
  })
})

test.each([
  ['title:eq:', true],
  ['titel:eq:x', true],
  ['title:eqq:x', true],
  ['"a b":isnull', true],
  ['filter=title:eq:x', true],
  ['title:isnull', true],
  ['a:isnull b', true],
  ['title:eq', false],
  ['note: eq: x', false],
  ['http://example.org', false],
  ['aa:bb:cc', false],
  ['10:30:00', false],
  ['plain', false],
])('%s looks like a condition: %s', (text, expected) => {
  expect(looksTyped(text, FIELDS)).toBe(expected)
})

test('nothing looks like a condition where there are no fields', () => {
  expect(looksTyped('title:eq:x', [])).toBe(false)
})
