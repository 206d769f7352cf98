import fc from 'fast-check'
import type { Model, ModelCondition, ModelSort, ModelTest } from '@/lib/testing/search-model'
import type { Json } from '@/lib/values/json'

export const RUNS = 120

/** Cases that are asked at the same time: the database works on one while others are checked. */
export const AT_ONCE = 4
export const several = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE })

export const kinds: Model['kinds'] = {
  id: 'number',
  name: 'text',
  age: 'number',
  tiny: 'number',
  score: 'number',
  price: 'number',
  active: 'boolean',
  born: 'date',
  seen: 'datetime',
  opens: 'time',
  info: 'json',
  tags: 'array',
  mood: 'json',
  'deep.inner': 'json',
  'info.a': 'json',
  'tags.0': 'json',
}

export const schema = {
  properties: [
    { name: 'name', type: 'string', searchable: true, indexed: true },
    { name: 'age', type: 'integer', indexed: true },
    { name: 'tiny', type: 'smallint' },
    { name: 'score', type: 'double' },
    { name: 'price', type: 'decimal' },
    { name: 'active', type: 'boolean' },
    { name: 'born', type: 'date' },
    { name: 'seen', type: 'datetime', indexed: true },
    { name: 'opens', type: 'time' },
    { name: 'info', type: 'json' },
    { name: 'tags', type: 'array' },
  ],
}

const words = fc.constantFrom(
  ...['', 'a', 'B', 'b', 'ab', 'aB', 'item 2', 'Item 10', 'item 10', 'é', 'E', 'É', 'Doe, John'],
  ...[
    'x|y',
    '100%',
    'a_b',
    'a\\b',
    '"q"',
    'null',
    'true',
    '5',
    '12',
    '007',
    '-3',
    '1.5',
    'ß',
    ' s ',
  ],
)
const scalars = fc.oneof(words, fc.integer({ min: -9, max: 20 }), fc.boolean(), fc.constant(1.5))
const jsons: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ a: scalars, bb: scalars }, { requiredKeys: [] }) },
)
const date = fc.constantFrom('1999-12-31', '2024-01-01', '2024-02-29', '2024-02-28')
const values: Record<string, fc.Arbitrary<Json>> = {
  name: words,
  age: fc.integer({ min: -5, max: 12 }),
  tiny: fc.integer({ min: -3, max: 3 }),
  score: fc.constantFrom(-1.5, 0, 0.1, 2, 1e10),
  price: fc.constantFrom(0, 9.99, 10, 10.5, -2.25),
  active: fc.boolean(),
  born: date,
  seen: fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-02-28T23:59:59.999Z'),
  opens: fc.constantFrom('08:30', '08:30:30', '17:00'),
  info: jsons,
  tags: fc.array(scalars, { maxLength: 3 }),
  mood: jsons,
  deep: fc.record({ inner: jsons }, { requiredKeys: [] }),
}
export const recordOf = fc.record(
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fc.option(value, { freq: 4 })]),
  ),
  { requiredKeys: [] },
)

const ordered = ['gt', 'gte', 'lt', 'lte']
const worded = ['like', 'ilike', 'contains', 'icontains', 'starts', 'istarts', 'ends', 'iends']

/** A value for the field in a condition: mostly of the kind that is stored there. */
const valueFor = (field: string): fc.Arbitrary<Json> => {
  if (field === 'id') return fc.integer({ min: 0, max: 71 })
  if (field === 'born' || field === 'seen') return fc.oneof(date, values.seen as fc.Arbitrary<Json>)
  if (['deep.inner', 'info.a', 'tags.0'].includes(field)) return scalars
  return values[field] as fc.Arbitrary<Json>
}
const patterns = fc.oneof(words, fc.constantFrom('%', 'a%', '%b', '%1%', 'i%0', '%m 1%', '_', '\\'))

export const testOf: fc.Arbitrary<ModelTest> = fc
  .constantFrom(...Object.keys(kinds))
  .chain((field): fc.Arbitrary<ModelTest> => {
    const kind = kinds[field]
    const value = valueFor(field)
    const atom = kind === 'json' ? scalars : value
    const test = (operators: string[], of: fc.Arbitrary<Json>) =>
      fc.record({ field: fc.constant(field), operator: anyCase(operators), value: of })
    const options: fc.Arbitrary<ModelTest>[] = [
      test(['eq', 'ne'], fc.option(value, { freq: 8 })),
      test(['in', 'nin'], fc.array(fc.option(atomOf(kind, value), { freq: 6 }), { maxLength: 4 })),
      fc.record({ field: fc.constant(field), operator: anyCase(['isnull', 'notnull']) }),
    ]
    if (kind !== 'boolean' && kind !== 'array') {
      options.push(test(ordered, atom))
      options.push(
        test(
          ['between'],
          fc.tuple(atom, atom).map((pair): Json => pair),
        ),
      )
    }
    if (kind === 'text' || kind === 'json' || kind === 'array')
      options.push(test(worded, kind === 'text' ? patterns : fc.oneof(patterns, scalars)))
    return fc.oneof(...options)
  })

const atomOf = (kind: string | undefined, value: fc.Arbitrary<Json>) =>
  kind === 'json' ? scalars : value

const anyCase = (operators: string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.boolean())
    .map(([name, upper]) => (upper ? name.toUpperCase() : name))

export const { condition } = fc.letrec<{ condition: ModelCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    { weight: 3, arbitrary: testOf },
    {
      weight: 2,
      arbitrary: fc.record({
        operator: fc.constantFrom('and', 'or', 'not'),
        filters: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
}))

export const sorting: fc.Arbitrary<ModelSort[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...Object.keys(kinds)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
)
export const paging = fc.record({ page: fc.nat(4), size: fc.constantFrom(1, 3, 10, 1000) })
