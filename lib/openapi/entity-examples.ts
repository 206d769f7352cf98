import type { Entity, Kind, Property } from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { exampleRecord, exampleValue } from './example-record'
import type { WithReferences } from './reference-samples'

/** Bodies that work on the entity, by the operation of the generic path. */
export const EXAMPLE_BODIES: Record<string, (entity: WithReferences) => unknown> = {
  createRecord: exampleNew,
  createRecords: (entity) => [exampleNew(entity)],
  changeRecord: (entity) => exampleRecord(entity, { needs: [] }),
  replaceRecord: (entity) => exampleRecord(entity, { needs: requiredWithoutKeys(entity) }),
  changeRecordByKey: exampleKeyed,
  changeRecords: (entity) => [exampleKeyed(entity)],
  deleteRecords: (entity) => ({ entity: entity.name, query: keyConditions(entity) }),
  countRecordsByBody: (entity) => ({ query: [broadCondition(entity)] }),
  exportRecords: (entity) => ({ query: [broadCondition(entity)], sort: sortOf(entity) }),
  searchRecords: (entity) => ({
    query: [broadCondition(entity)],
    sort: sortOf(entity),
    pagination: { page: 0, size: 10 },
  }),
}

/** Values of query parameters that work on the entity. */
export const EXAMPLE_QUERY: Record<string, (entity: Entity) => string> = {
  filter: (entity) => `${searchedField(entity).name}:notnull`,
  sort: ({ keys }) => `${keys[0]}:asc`,
}

/** The `persistenceId` of a record whose key has example values. */
export function exampleId(entity: Entity): string {
  const key = exampleKey(entity)
  const [only] = entity.keys.length === 1 ? Object.values(key) : []
  return only === undefined ? Buffer.from(JSON.stringify(key)).toString('base64url') : String(only)
}

const exampleKey = ({ keys, properties }: Entity): JsonObject =>
  Object.fromEntries(
    properties
      .filter(({ name }) => keys.includes(name))
      .map((property) => [property.name, exampleValue(property)]),
  )

function exampleNew(entity: WithReferences): JsonObject {
  const fixed = entity.definition.keys.filter(({ strategy }) => strategy === 'Fixed')
  const needs = [...fixed.map(({ key }) => key), ...requiredWithoutKeys(entity)]
  return exampleRecord(entity, { needs })
}

function exampleKeyed(entity: WithReferences): JsonObject {
  return exampleRecord(entity, { needs: [...entity.keys, ...requiredWithoutKeys(entity)] })
}

const requiredWithoutKeys = ({ properties, keys }: Entity): string[] =>
  properties
    .filter(
      ({ name, rules }) => rules.required && rules.default === undefined && !keys.includes(name),
    )
    .map(({ name }) => name)

/** At most one record is deleted by trying things out. */
const keyConditions = (entity: Entity) =>
  Object.entries(exampleKey(entity)).map(([field, value]) => ({ field, operator: 'eq', value }))

const BROAD: Partial<Record<Kind, [operator: string, value: Json]>> = {
  text: ['ilike', 'a'],
  integer: ['gte', 0],
  float: ['gte', 0],
  decimal: ['gte', 0],
  boolean: ['eq', true],
  date: ['gte', '2000-01-01'],
  datetime: ['gte', '2000-01-01T00:00:00Z'],
}

/** A condition that many records are likely to meet. */
function broadCondition(entity: Entity) {
  const { name, kind, rules } = searchedField(entity)
  if (rules.enum?.[0] !== undefined) return { field: name, operator: 'eq', value: rules.enum[0] }
  const [operator, value] = BROAD[kind] ?? []
  return operator ? { field: name, operator, value } : { field: name, operator: 'notnull' }
}

/** The first field that people would look for. */
function searchedField({ properties, keys }: Entity): Property {
  const named = properties.find(({ name, kind }) => kind === 'text' && !keys.includes(name))
  return named ?? (properties[0] as Property)
}

const sortOf = ({ keys }: Entity) => [{ field: keys[0], direction: 'asc' }]
