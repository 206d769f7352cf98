import fc from 'fast-check'
import { pluginFiles } from './archive'
import {
  duplicates,
  ENTITIES,
  entityNamed,
  FIELDS,
  oneIn,
  oneOf,
  type RandomEntity,
  type RandomSchema,
  record,
  schemaNamed,
  TYPES,
  VALUES,
} from './random-definitions'

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oneOf(...TYPES).chain((type): fc.Arbitrary<unknown> => VALUES[type]) },
  { weight: 1, arbitrary: fc.constant(null) },
)

function fieldOf(property: RandomSchema['properties'][number] | undefined) {
  if (!property) return oneIn(6, value)
  const { type, meta } = property
  const fitting: fc.Arbitrary<unknown> = meta.enum ? oneOf(...meta.enum) : VALUES[type]
  const present = fc.oneof({ weight: 60, arbitrary: fitting }, { weight: 1, arbitrary: value })
  return meta.required ? present : fc.option(present, { nil: undefined })
}

/** Records that fit the version's own declarations, with few exceptions. */
function records({ properties }: Pick<RandomSchema, 'properties'>, { pks }: Partial<RandomEntity>) {
  const number = fc.integer({ min: 1, max: 6 })
  const [key] = pks ?? []
  const id: fc.Arbitrary<unknown> = key?.type === 'string' ? number.map(String) : number
  const fields = FIELDS.map((name) => [name, fieldOf(properties.find((one) => one.name === name))])
  const whole = record({
    id: key?.strategy === 'Fixed' ? id : fc.option(id, { freq: 2, nil: undefined }),
    ...Object.fromEntries(fields),
    extra: oneIn(6, value),
  })
  return fc.array(whole, { maxLength: 4 })
}

const faulty = oneOf<unknown>('{"id": 1,', [1], 7, [{ id: { $date: 'never' } }], [])

type Definitions = { schemas: RandomSchema[]; entities: RandomEntity[] }

function dataOf(name: string, { schemas, entities }: Definitions) {
  const isOwn = (one: { name: string }) => one.name === name
  const sound = records(schemas.find(isOwn) ?? { properties: [] }, entities.find(isOwn) ?? {})
  const content = fc.oneof({ weight: 15, arbitrary: sound }, { weight: 1, arbitrary: faulty })
  return record({
    name: fc.constant(name),
    manifest: record({
      target: fc.constant(name),
      insertDuplicate: oneIn(2, duplicates),
      dependencies: oneIn(10, fc.subarray([...ENTITIES, 'Missing'], { maxLength: 1 })),
    }),
    contents: fc.array(content, { minLength: 1, maxLength: 3 }),
  })
}

const some = <T>(of: (name: string) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.subarray([...ENTITIES], { minLength: 1 }).chain((names) => fc.tuple(...names.map(of)))

const numbered = (contents: readonly unknown[]) =>
  Object.fromEntries(contents.map((content, at) => [`${at}.json`, content]))

type Version = Definitions & { longest: number }

const definitions: fc.Arbitrary<Version> = fc.record({
  longest: oneOf(1, 3),
  schemas: some(schemaNamed),
  entities: some(entityNamed),
})

function filesOf({ longest, ...defined }: Version): fc.Arbitrary<Record<string, unknown>> {
  const names = defined.entities.map(({ name }) => name)
  const targets = fc.oneof(
    { weight: 5, arbitrary: fc.subarray(names, { minLength: 1 }) },
    { weight: 1, arbitrary: fc.subarray([...ENTITIES, 'Missing'], { minLength: 1 }) },
  )
  const data = targets.chain((found) => fc.tuple(...found.map((name) => dataOf(name, defined))))
  const short = { name: 'Short', baseType: 'string', meta: { maxLength: longest } }
  return data.map((components) =>
    pluginFiles({
      EngineTypes: { files: { 'Short.json': short } },
      EngineSchemas: { files: numbered(defined.schemas) },
      EngineEntities: { files: numbered(defined.entities) },
      ...Object.fromEntries(
        components.map(({ name, manifest, contents }) => [
          name,
          { manifest, files: numbered(contents) },
        ]),
      ),
    }),
  )
}

/**
 * The files of two versions of a plugin, which differ only in their definitions or only in their records.
 * Most files are valid, and each kind of fault occurs.
 */
export const randomVersions = definitions.chain((first) =>
  fc
    .oneof(definitions, fc.constant(first))
    .chain((second) => fc.tuple(filesOf(first), filesOf(second))),
)
