import { describe, expect, test } from 'vitest'
import { comparedTexts, entitiesOnTheWay, fieldBeyond } from './beyond'
import { fieldConditions } from './condition'
import { type FilterField, describe as inWords } from './field'

const beyond = (entity: string) => ({
  entity,
  fields: { queryKey: [entity], queryFn: async () => [], staleTime: 0 },
})
const text = (name: string, more: Partial<FilterField> = {}): FilterField => ({
  name,
  label: name,
  kind: 'text',
  ...more,
})
const ORDER = [text('note'), text('customer', { label: 'Customer', beyond: beyond('Customer') })]
const CUSTOMER = [
  text('name'),
  text('country', { label: 'Country', beyond: beyond('Country') }),
  text('size', { kind: 'integer' }),
]
const COUNTRY = [text('code', { label: 'Code' }), text('meta', { kind: 'json' })]
const KNOWN = new Map([
  ['Customer', CUSTOMER],
  ['Country', COUNTRY],
])

const namesOf = (names: string[], known = KNOWN) =>
  entitiesOnTheWay(ORDER, names, known).map(({ entity }) => entity)

describe('the entities that names lead into', () => {
  test('are known step by step', () => {
    expect(namesOf(['customer.country.code'], new Map())).toEqual(['Customer'])
    expect(namesOf(['customer.country.code'])).toEqual(['Customer', 'Country'])
  })

  test('are each named once, and none where no reference is followed', () => {
    expect(namesOf(['customer.name', 'customer.size', 'note', 'note.x', 'missing.x'])).toEqual([
      'Customer',
    ])
  })

  test('are not those of a field that has a dot in its name', () => {
    const fields = [...ORDER, text('customer.name')]
    expect(entitiesOnTheWay(fields, ['customer.name'], KNOWN)).toEqual([])
  })
})

describe('a field beyond references', () => {
  test('is the other entity’s, and its label says the way', () => {
    expect(fieldBeyond(ORDER, 'customer.size', KNOWN)).toMatchObject({
      name: 'customer.size',
      label: 'Customer › size',
      kind: 'integer',
    })
    expect(fieldBeyond(ORDER, 'customer.country.code', KNOWN)?.label).toBe(
      'Customer › Country › Code',
    )
  })

  test.each(['note', 'customer', 'customer.missing', 'customer.country.meta.path'])(
    'is none for %s',
    (name) => {
      expect(fieldBeyond(ORDER, name, KNOWN)).toBeNull()
    },
  )

  test('stands in a condition’s words, with the name of the record', () => {
    const reached = fieldBeyond(ORDER, 'customer.country', KNOWN)
    const fields = [...ORDER, { ...reached, titles: new Map([['DE', 'Germany']]) } as FilterField]
    const condition = { field: 'customer.country', operator: 'eq', value: 'DE' }
    expect(inWords(condition, fields)).toBe('Customer › Country is Germany (DE)')
    const several = { ...condition, operator: 'in', value: ['DE', 'FR'] }
    expect(inWords(several, fields)).toBe('Customer › Country is one of Germany (DE), FR')
  })
})

test('conditions are found in groups, and what they compare with as texts', () => {
  const one = { field: 'a', operator: 'in', value: [1, null, 'x', ''] }
  const two = { field: 'b', operator: 'isnull' }
  const words = { operator: 'matches-text' as const, value: 'x' }
  const nested = [{ operator: 'not' as const, filters: [one, words] }, two]
  expect(fieldConditions(nested)).toEqual([one, two])
  expect([one, two].map(comparedTexts)).toEqual([['1', 'x'], []])
})
