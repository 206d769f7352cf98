import fc from 'fast-check'
import { pluginFiles } from './archive'
import { MUTATIONS, type Mutation, mutate } from './mutate-plugin'
import { oneIn, oneOf, record, VALUES } from './random-definitions'

/** A plugin as a value that a random mutation can change. Most are valid. */

export const SHAPE_TYPES = ['string', 'smallint', 'integer', 'decimal', 'date', 'json'] as const
export type ShapeType = (typeof SHAPE_TYPES)[number] | 'datetime'
export type Field = {
  name: string
  type: ShapeType
  meta: Record<string, unknown>
  renamedFrom?: string
  computed?: string
}
export type RandomEntity = {
  name: string
  renamedFrom?: string
  fields: Field[]
  pks: { key: string; strategy: string; type: string }[]
  rules: Record<string, unknown>
  open: boolean
  manifest: Record<string, unknown>
  /** Null: the archive has no data file. */
  records: Record<string, unknown>[] | null
}

const NAMES = ['Alpha', 'Beta', 'Gamma'] as const
const FIELD_NAMES = ['p', 'q', 'r'] as const

export const valueOfType = (type: ShapeType): fc.Arbitrary<unknown> => VALUES[type]

function metaOf(type: ShapeType, entity: string): fc.Arbitrary<Record<string, unknown>> {
  const targets = NAMES.slice(0, NAMES.indexOf(entity as never) + 1)
  const reference = record({
    entity: oneOf(...targets),
    field: fc.constant('id'),
    onDelete: oneIn(2, oneOf('cascade', 'setNull', 'restrict')),
  })
  const generated = type === 'date' ? 'now' : type === 'string' ? 'uuid' : undefined
  return record({
    required: oneIn(8, fc.constant(true)),
    unique: oneIn(type === 'json' ? 1_000 : 6, fc.constant(true)),
    indexed: oneIn(8, fc.constant(true)),
    default: oneIn(5, fc.oneof(valueOfType(type), fc.constant(generated))),
    reference: type === 'integer' ? oneIn(3, reference) : fc.constant(undefined),
  }) as fc.Arbitrary<Record<string, unknown>>
}

const fieldNamed = (name: string, entity: string): fc.Arbitrary<Field> =>
  oneOf(...SHAPE_TYPES).chain((type) => metaOf(type, entity).map((meta) => ({ name, type, meta })))

const key = (name: string, strategy: string, type: string) => ({ key: name, strategy, type })
const pks = fc.oneof<fc.MaybeWeightedArbitrary<RandomEntity['pks']>[]>(
  { weight: 3, arbitrary: fc.constant([key('id', 'Fixed', 'number')]) },
  { weight: 3, arbitrary: fc.constant([key('id', 'AutoIncrement', 'number')]) },
  { weight: 1, arbitrary: fc.constant([key('id', 'AutoIncrement', 'string')]) },
  { weight: 1, arbitrary: fc.constant([key('id', 'UUID', 'string')]) },
  {
    weight: 1,
    arbitrary: fc.constant([key('id', 'Fixed', 'number'), key('no', 'Fixed', 'string')]),
  },
)

/** A record of the shape; the key is left out where one may be made. */
function recordOf({
  fields,
  pks: keys,
  open,
}: RandomEntity): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const { key: name, strategy, type } of keys) {
    const number = fc.integer({ min: 1, max: 6 })
    const text: fc.Arbitrary<unknown> = strategy === 'UUID' ? oneOf(...UUIDS) : number.map(String)
    const values = type === 'string' ? text : number
    model[name] = strategy === 'Fixed' ? values : fc.option(values, { nil: undefined, freq: 2 })
  }
  for (const { name, type, meta, computed } of fields) {
    if (computed) continue
    const fitting = meta.reference ? fc.integer({ min: 1, max: 4 }) : valueOfType(type)
    const missing = meta.required ? 60 : 4
    model[name] = fc.option(fc.oneof({ weight: 8, arbitrary: fitting }, fc.constant(null)), {
      nil: undefined,
      freq: missing,
    })
    if (meta.required) model[name] = fitting
  }
  if (open) model.extra = oneIn(3, oneOf<unknown>('x', 'y', 1, { a: 1 }))
  return record(model)
}

const UUIDS = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

const shapeNamed = (name: string): fc.Arbitrary<RandomEntity> =>
  fc
    .record({
      fields: fc
        .subarray([...FIELD_NAMES], { minLength: 1 })
        .chain((names) => fc.tuple(...names.map((one) => fieldNamed(one, name)))),
      pks,
      rules: record({
        updateStrategy: oneIn(4, fc.constant('Replace')),
        auditable: oneIn(5, fc.constant(true)),
      }),
      open: oneIn(6, fc.constant(true)).map((closed) => !closed),
      manifest: record({
        target: fc.constant(name),
        insertDuplicate: oneOf('Upsert', 'Upsert', 'Upsert', 'Upsert', 'Ignore', 'Error'),
      }),
    })
    .chain(({ fields, ...rest }) => {
      const shape: RandomEntity = { name, ...rest, fields, records: null }
      const records = fc.array(recordOf(shape), { maxLength: 6 })
      return records.map((found) => ({ ...shape, records: found }) as RandomEntity)
    })

const plugin: fc.Arbitrary<RandomEntity[]> = fc
  .subarray([...NAMES], { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(shapeNamed)))

/** The archive's files. */
export function filesOf(shapes: readonly RandomEntity[], version: string): Record<string, unknown> {
  const components = shapes.flatMap(({ name, manifest, records }) =>
    records ? [[name, { manifest, files: { 'data.json': records } }] as const] : [],
  )
  return pluginFiles(
    {
      EngineSchemas: { files: namedFiles(shapes.map(schemaOf)) },
      EngineEntities: { files: namedFiles(shapes.map(entityOf)) },
      ...Object.fromEntries(components),
    },
    { version },
  )
}

const namedFiles = (definitions: { name: string }[]) =>
  Object.fromEntries(definitions.map((one) => [`${one.name}.json`, one]))

const schemaOf = ({ name, open, fields }: RandomEntity) => ({
  name,
  ...(open ? {} : { additionalProperties: false }),
  properties: fields,
})

const entityOf = ({ name, renamedFrom, pks: keys, rules }: RandomEntity) => ({
  name,
  ...(renamedFrom ? { renamedFrom } : {}),
  pks: keys,
  ...rules,
})

export type Upgrade = { first: RandomEntity[]; second: RandomEntity[] }
type SaidUpgrade = Upgrade & { said: string[] }

/** Two versions of a plugin; the second is the first after some mutations, which are said. */
export const randomUpgrade: fc.Arbitrary<SaidUpgrade> = plugin.chain((first) => {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    kind: oneOf(...MUTATIONS),
    entity: fc.nat(2),
    at: fc.nat(5),
    pick: fc.nat(40),
  })
  return fc.array(mutation, { maxLength: 9 }).map((mutations) => {
    const { shapes, said } = mutate(first, mutations)
    return { first, second: shapes, said }
  })
})
