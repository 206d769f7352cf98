import fc from 'fast-check'

/**
 * Definitions of entities and schemas that overlap often: few names, few values,
 * every rule that may conflict. Most are valid.
 */

export const ENTITIES = ['Alpha', 'Beta', 'Gamma'] as const
export const FIELDS = ['p', 'q', 'r'] as const

export const oneOf = fc.constantFrom
/** Present in one of `n` cases. */
export const oneIn = <T>(n: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: n - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
/** A plain object without the keys whose value is undefined, as in JSON. */
export const record = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model).map((value) => JSON.parse(JSON.stringify(value)) as T)

const DAYS = ['2024-01-01', '2024-02-29', '1999-12-31']
export const VALUES = {
  string: oneOf('a', 'b', 'B', '1', '2', 'true', '2024-02-29', ''),
  integer: oneOf(0, 1, 2, 3, 40_000),
  smallint: oneOf(1, 2, 3),
  decimal: oneOf(1, 1.5, '2.50'),
  double: oneOf(1, 0.1, 2),
  boolean: fc.boolean(),
  date: oneOf(...DAYS),
  datetime: oneOf(...DAYS.map((day) => `${day}T10:00:00Z`)),
  json: oneOf<unknown>(1, 'a', [1], { a: 1 }),
  array: fc.array(oneOf<unknown>(1, 'a'), { maxLength: 2 }),
  /** A type of the plugin's own. */
  Short: oneOf('a', 'b', 'b', 'abc'),
}
export type Type = keyof typeof VALUES
export const TYPES = Object.keys(VALUES) as Type[]
const types = fc.oneof(
  { weight: 3, arbitrary: oneOf<Type>('string', 'integer') },
  { weight: 4, arbitrary: oneOf(...TYPES) },
)

type Meta = { required?: true; enum?: unknown[] }
export type RandomSchema = { name: string; properties: { name: string; type: Type; meta: Meta }[] }
export type RandomEntity = { name: string; pks?: { key: string; strategy: string; type: string }[] }

/** Rules that fit the type, with few exceptions. */
function rulesOf(type: Type): fc.Arbitrary<Meta> {
  const isText = type === 'string'
  const isNumber = ['integer', 'smallint', 'decimal', 'double'].includes(type)
  const ofText = <T>(arbitrary: fc.Arbitrary<T>) => (isText ? arbitrary : fc.constant(undefined))
  const isDocument = type === 'json' || type === 'array'
  const reference = record({ entity: oneOf(...ENTITIES), field: oneOf('id', 'id', 'p') })
  const preset = fc.oneof({ weight: 20, arbitrary: VALUES[type] }, fc.constant('odd'))
  return record({
    required: oneIn(5, fc.constant(true)),
    unique: oneIn(isDocument ? 90 : 5, fc.constant(true)),
    indexed: oneIn(5, fc.constant(true)),
    searchable: ofText(oneIn(8, oneOf(true, { weight: 'B', language: 'english' }))),
    default: oneIn(6, preset),
    enum: oneIn(10, fc.array(VALUES[type], { minLength: 1, maxLength: 4 })),
    maxLength: ofText(oneIn(8, oneOf(0, 1, 10))),
    pattern: ofText(oneIn(20, oneOf('^[a-z]?$', '['))),
    min: isNumber ? oneIn(10, oneOf(0, 1, 2)) : fc.constant(undefined),
    reference: isText || isNumber ? oneIn(5, reference) : fc.constant(undefined),
    group: oneIn(12, oneOf('Main', 'More')),
    hidden: oneIn(15, fc.constant({ list: true })),
    unit: isNumber ? oneIn(10, fc.constant('kg')) : fc.constant(undefined),
  }) as fc.Arbitrary<Meta>
}

const property = (name: string) =>
  types.chain((type) =>
    record({ name: fc.constant(name), type: fc.constant(type), meta: rulesOf(type) }),
  )

export const schemaNamed = (name: string): fc.Arbitrary<RandomSchema> =>
  record({
    name: fc.constant(name),
    additionalProperties: oneIn(8, fc.constant(false)),
    properties: fc
      .subarray([...FIELDS], { minLength: 1 })
      .chain((names) => fc.tuple(...names.map(property))),
  })

const key = (name: string, strategy: string, type: string) => ({ key: name, strategy, type })
const keys = fc.oneof<fc.MaybeWeightedArbitrary<RandomEntity['pks']>[]>(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant([key('id', 'Fixed', 'number')]) },
  { weight: 1, arbitrary: fc.constant([key('id', 'UUID', 'string')]) },
  { weight: 1, arbitrary: fc.constant([key('id', 'AutoIncrement', 'string')]) },
  {
    weight: 1,
    arbitrary: fc.constant([key('id', 'Fixed', 'number'), key('p', 'Fixed', 'string')]),
  },
)
export const duplicates = oneOf('Error', 'Upsert', 'Upsert', 'Ignore')
const indexes = fc.array(
  record({
    fields: fc.subarray(['id', ...FIELDS], { minLength: 1, maxLength: 2 }),
    unique: fc.boolean(),
  }),
  { maxLength: 2 },
)

export const entityNamed = (name: string): fc.Arbitrary<RandomEntity> =>
  record({
    name: fc.constant(name),
    pks: keys,
    engineSchema: oneIn(15, oneOf(...ENTITIES, 'Nothing')),
    dbTable: oneIn(15, fc.constant('alpha')),
    insertDuplicate: oneIn(2, duplicates),
    updateStrategy: oneIn(2, oneOf('Upsert', 'Replace')),
    auditable: oneIn(4, fc.boolean()),
    history: oneIn(6, fc.boolean()),
    indexes: oneIn(6, indexes),
    distribution: oneIn(8, oneOf('local', 'reference')),
  })
