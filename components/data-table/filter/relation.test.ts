import { describe, expect, test } from 'vitest'
import { type Beyond, entitiesOnTheWay, fieldBeyond } from './beyond'
import type { Condition, FieldCondition } from './condition'
import { corrected, faultOf, faultsOf, firstFault } from './condition-faults'
import { type FilterField, describe as inWords } from './field'
import { fromGroup } from './group'
import { changedField, initialCondition } from './initial-condition'
import { looksTyped } from './looks-typed'
import { parseTyped } from './parse-typed'
import { testedName } from './relation'

const beyond = (entity: string): Beyond => ({
  entity,
  fields: { queryKey: [entity], queryFn: async () => [], staleTime: 0 },
})
const relationField = (name: string, label: string, relation: Beyond): FilterField => ({
  ...{ name, label, kind: 'text', relation },
})
const ITEM: FilterField[] = [{ name: 'price', label: 'Price', kind: 'integer' }]
const ORDER: FilterField[] = [
  { name: 'total', label: 'Total', kind: 'integer' },
  relationField('items', 'Items', beyond('Item')),
]
const CUSTOMER: FilterField[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  relationField('orders', 'Orders', beyond('Order')),
]
const KNOWN = new Map([
  ['Order', ORDER],
  ['Item', ITEM],
])

/** The fields as the builder has them for these conditions. */
const fieldsFor = (...conditions: FieldCondition[]): FilterField[] => [
  ...CUSTOMER,
  ...conditions.flatMap((each) => fieldBeyond(CUSTOMER, testedName(each), KNOWN) ?? []),
]
const words = (condition: FieldCondition) => inWords(condition, fieldsFor(condition))
const reason = (condition: FieldCondition) => faultOf(condition, fieldsFor(condition))?.reason

const SOME: FieldCondition = { field: 'orders', operator: 'some' }
const OVER_5: FieldCondition = { field: 'total', operator: 'gt', value: 5 }

describe('a condition about records that refer to one', () => {
  test.each<[FieldCondition, string]>([
    [SOME, 'Orders › at least one'],
    [{ field: 'orders', operator: 'NONE' }, 'Orders › none'],
    [
      { field: 'orders.some.total', operator: 'gt', value: 5 },
      'Orders › at least one › Total is greater than 5',
    ],
    [{ field: 'orders.$count', operator: 'gte', value: 3 }, 'Orders › how many is at least 3'],
    [
      { field: 'orders.$sum.total', operator: 'lt', value: 9 },
      'Orders › sum of › Total is less than 9',
    ],
    [{ field: 'orders.none.items', operator: 'some' }, 'Orders › none › Items › at least one'],
    [
      {
        field: 'orders',
        operator: 'every',
        filters: [OVER_5, { ...OVER_5, operator: 'lt', value: 9 }],
      },
      'Orders › each with Total is greater than 5 and Total is less than 9',
    ],
  ])('%j is sound, and in words %s', (condition, expected) => {
    expect(words(condition)).toBe(expected)
    expect(faultOf(condition, fieldsFor(condition))).toBeNull()
    // Before the other entity's fields are known, too.
    expect(faultOf(condition, CUSTOMER)).toBeNull()
  })

  test.each<[FieldCondition, string]>([
    [
      { field: 'orders', operator: 'eq', value: 1 },
      'Choose at least one, none, each, how many, or sum of',
    ],
    [{ field: 'orders', operator: 'every' }, 'Add a condition that each Order must meet'],
    [{ field: 'orders.some', operator: 'eq', value: 1 }, 'Choose a field of Order'],
    [{ field: 'orders.$sum', operator: 'eq', value: 1 }, 'Choose a field of Order'],
    [{ field: 'orders.$count', operator: 'eq', value: 'x' }, '“x” is not a whole number'],
    [{ field: 'name', operator: 'some' }, 'Unknown operator “some”; choose another one'],
  ])('%j is refused', (condition, expected) => {
    expect(reason(condition)).toBe(expected)
  })

  test('says times of the other records in the zone that is asked for', () => {
    const placed = { field: 'placed', operator: 'gt', value: '2026-01-31T23:00:00Z' }
    const condition = { ...SOME, filters: [placed] }
    const fields = [{ name: 'placed', kind: 'datetime' as const }]
    const [some] = fieldsFor(condition).filter(({ name }) => name === 'orders.some')
    const known = [{ ...some, related: { entity: 'Order', fields } } as FilterField]
    expect(inWords(condition, known, 'Asia/Tokyo')).toContain('2026-02-01 08:00')
  })

  test('asks for the fields of each entity on its way, and of the one it ends with', () => {
    const names = ['orders.some.items.none.price', 'orders.some'].map((name) =>
      entitiesOnTheWay(CUSTOMER, [name], KNOWN).map(({ entity }) => entity),
    )
    expect(names).toEqual([['Order', 'Item'], ['Order']])
    expect(entitiesOnTheWay(CUSTOMER, ['orders.$count', 'orders'], KNOWN)).toEqual([])
  })

  test('is told what is wrong in conditions of the other records, and how to correct it', () => {
    const wrong: FieldCondition = { ...SOME, filters: [{ ...OVER_5, field: 'totl' }] }
    const filter: Condition[] = [wrong]
    const faults = faultsOf(filter, fieldsFor(wrong))
    expect(firstFault(wrong, faults)?.reason).toBe('Unknown field “totl”; did you mean “total”?')
    expect(corrected(wrong, faults)).toEqual({ ...SOME, filters: [OVER_5] })
  })

  test('has the fault that the server found in the conditions of the other records', () => {
    const inner = { ...OVER_5 }
    const filter = [{ ...SOME, filters: [inner] }]
    const refused = [{ field: 'query.0.filters.0.value', error: 'No' }]
    expect(faultsOf(filter, CUSTOMER, refused).get(inner)).toEqual({ reason: 'No' })
  })
})

describe('the builder', () => {
  const [ask = ORDER[0]] = [fieldBeyond(CUSTOMER, 'orders.none', KNOWN)]

  test('begins with at least one, and keeps what the records must meet', () => {
    const [, orders] = CUSTOMER
    expect(orders && initialCondition(orders)).toEqual(SOME)
    const changed = ask && changedField({ ...SOME, filters: [OVER_5] }, ask)
    expect(changed).toEqual({ field: 'orders', operator: 'none', filters: [OVER_5] })
  })

  test('leaves out groups and lists of conditions that are empty', () => {
    const filters = [{ ...SOME, filters: [{ operator: 'or' as const, filters: [] }] }, OVER_5]
    expect(fromGroup({ operator: 'and', filters })).toEqual([SOME, OVER_5])
  })

  test('takes what is typed', () => {
    expect(looksTyped('orders:some', CUSTOMER)).toBe(true)
    expect(parseTyped('orders:none name:eq:x', CUSTOMER)).toEqual([
      { condition: { field: 'orders', operator: 'none' }, fault: null },
      { condition: { field: 'name', operator: 'eq', value: 'x' }, fault: null },
    ])
  })
})
