import { describe, expect, it, test } from 'vitest'
import type { Condition, FieldCondition } from './condition'
import { corrected, faultOf, faultsOf, firstFault } from './condition-faults'
import type { FilterField } from './field'

const FIELDS: FilterField[] = [
  { name: 'title', kind: 'text' },
  { name: 'pages', kind: 'integer' },
  { name: 'lent', kind: 'boolean' },
  { name: 'bought', kind: 'datetime' },
  { name: 'due', kind: 'date' },
  { name: 'opens', kind: 'time' },
  { name: 'size', kind: 'object' },
  { name: 'size.unit', kind: 'text' },
  { name: 'tags', kind: 'array' },
  { name: 'room', kind: 'text', reference: { entity: 'Room', field: 'code' } },
]
const is = (field: string, operator: string, value?: unknown): FieldCondition =>
  value === undefined ? { field, operator } : { field, operator, value }

describe('a condition', () => {
  test.each(
    [
      is('title', 'eq', 'x'),
      is('title', 'EQ', ''),
      is('pages', 'between', ['1', 2.5]),
      is('pages', 'in', []),
      is('pages', 'in', [null, '3']),
      is('lent', 'eq', 'TRUE'),
      is('bought', 'gt', '$now(-7d)'),
      is('bought', 'gt', '2026-01-31'),
      is('bought', 'gt', 1767225600000),
      is('bought', 'gt', '2026-01-31T10:00:00 02:00'),
      is('bought', 'gt', { $date: '2026-01-31' }),
      is('due', 'eq', '2026-01-31T10:00:00Z'),
      is('opens', 'gt', '10:30'),
      is('tags', 'contains', 'x'),
      is('size.a.0', 'gt', 'many'),
      is('room.floor', 'gt', 'x'),
      is('title', 'isnull'),
    ].filter(({ operator }) => operator !== 'odd'),
  )('%j is sound', (condition) => {
    expect(faultOf(condition, FIELDS)).toBeNull()
  })

  test.each([
    [is('titel', 'eq', 'x'), 'Unknown field “titel”; did you mean “title”?'],
    [is('colour', 'eq', 'x'), 'Unknown field “colour”; choose another one'],
    [is('title.a', 'eq', 'x'), 'Unknown field “title.a”'],
    [is('pages', 'gtt', '1'), 'Unknown operator “gtt”; did you mean “gt”?'],
    [is('pages', 'icontains', '1'), '“contains” can’t be asked of a whole number'],
    [is('lent', 'gt', true), 'can’t be asked of true or false'],
    [is('pages', 'gt', 'many'), '“many” is not a whole number'],
    [is('pages', 'gt', ''), 'Enter a whole number'],
    [is('pages', 'in', ['1', 'x']), '“x” is not a whole number'],
    [is('pages', 'between', '1'), 'Enter two values'],
    [is('pages', 'between', ['1', '']), 'Enter a whole number'],
    [is('pages', 'gt'), 'Enter a value'],
    [is('bought', 'gt', 'soon'), '“soon” is not a date and time, such as'],
    [is('bought', 'gt', '$now(-7q)'), '“$now(-7q)” is not a date and time'],
    [is('due', 'gt', '2026-02-30'), '“2026-02-30” is not a date'],
    [is('opens', 'gt', '25:00'), 'is not a time of day'],
    [is('lent', 'eq', 'maybe'), '“maybe” is not true or false'],
    [is('', 'unreadable', '{oops'), 'can’t be read'],
  ])('%j is wrong: %s', (condition, reason) => {
    expect(faultOf(condition, FIELDS)?.reason).toContain(reason)
  })

  it('comes with the one that was likely meant', () => {
    expect(faultOf(is('titel', 'eq', 'x'), FIELDS)?.meant).toEqual({
      name: 'title',
      condition: is('title', 'eq', 'x'),
    })
    expect(faultOf(is('pages', 'gtt', '1'), FIELDS)?.meant?.name).toBe('gt')
  })
})

describe('the faults of a filter', () => {
  const inner = is('lent', 'eq', 'maybe')
  const fine = is('title', 'matches', '(')
  const filter: Condition[] = [
    is('pages', 'gt', '1'),
    { operator: 'or', filters: [fine, { operator: 'and', filters: [inner] }] },
  ]

  it('are found within groups', () => {
    const faults = faultsOf(filter, FIELDS)
    expect([...faults.keys()]).toEqual([inner])
    expect(firstFault(filter[0] as Condition, faults)).toBeNull()
    expect(firstFault(filter[1] as Condition, faults)?.reason).toContain('“maybe”')
  })

  it('are corrected by what was meant, wherever they are', () => {
    const wrong: Condition = { operator: 'or', filters: [is('titel', 'eqq', 'x'), fine] }
    const once = corrected(wrong, faultsOf([wrong], FIELDS))
    expect(once).toEqual({ operator: 'or', filters: [is('title', 'eqq', 'x'), fine] })
    expect(corrected(once, faultsOf([once], FIELDS))).toEqual({
      operator: 'or',
      filters: [is('title', 'eq', 'x'), fine],
    })
  })

  it('include what only the server knows, at the condition that it names', () => {
    const error = 'The pattern for "title" is not closed'
    const faults = faultsOf(filter, FIELDS, [{ field: 'query.1.filters.0.value', error }])
    expect(faults.get(fine)?.reason).toBe(error)
    expect(faultsOf(filter, FIELDS, [{ field: 'sort.0.field', error }]).size).toBe(1)
    expect(faultsOf(filter, FIELDS, [{ field: 'query.9.value', error }]).size).toBe(1)
  })
})
