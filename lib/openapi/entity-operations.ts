import { type Actor, can, type Right } from '@/lib/auth/rights'
import type { Entity, Property } from '@/lib/definitions/definition'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { JsonObject } from '@/lib/values/json'
import { type Part, SCHEMAS } from './components'
import { entityTag, type Operation } from './describe-operation'
import type { DescribedEntity, EntityViews } from './entity-views'
import { exampleRecord, exampleValue } from './example-record'

export type GenericOperation = {
  path: string
  method: string
  operation: Operation
  /** The right on one entity that calling it requires. */
  rightFor: (entity: string) => Right | null
}

/** Whether the caller may do this to records of the entity, and the entity has what it is about. */
export function isOpenTo(
  actor: Actor,
  entity: Entity,
  { rightFor, path }: Pick<GenericOperation, 'rightFor' | 'path'>,
): boolean {
  const right = rightFor(entity.name)
  if (right === null || typeof right === 'string') return false
  if (path.endsWith('/changes') && !entity.definition.events) return false
  return entity.definition.permissions[right.action] && can(actor, right)
}

/**
 * The operation of a generic path on one entity: its schemas, and examples with its fields. `shared`
 * are the parameters that operations refer to.
 */
export function operationOn(
  views: EntityViews,
  { path, operation }: Pick<GenericOperation, 'path' | 'operation'>,
  shared: Record<string, Part> = {},
): [path: string, Operation] {
  const { read } = views
  const { name } = read
  const { parameters, ...own } = specialised(operation, name)
  const left = ((parameters ?? []) as Part[]).filter((part) => part.name !== 'entityName')
  const described: Operation = {
    ...own,
    operationId: own.operationId.replace(/Record|Columns/, `${name}$&`),
    tags: [entityTag(name)],
    ...(left.length > 0 ? { parameters: left.map((part) => withExample(part, read, shared)) } : {}),
  }
  addBodyExample(described, operation.operationId, views)
  return [path.replace('{entityName}', name), described]
}

const specialised = (operation: Operation, name: string): Operation =>
  JSON.parse(
    JSON.stringify(operation).replaceAll(`"${SCHEMAS}Engine.Record`, `"${SCHEMAS}${name}`),
  ) as Operation

function withExample(part: Part, entity: Entity, shared: Record<string, Part>): Part {
  if (part.name === 'id') {
    const example = exampleId(entity)
    return example === null ? part : { ...part, example }
  }
  const parameter =
    typeof part.$ref === 'string' ? shared[part.$ref.split('/').at(-1) ?? ''] : undefined
  const example = EXAMPLE_QUERY[parameter?.name as string]
  return parameter && example ? { ...parameter, example: example(entity) } : part
}

function addBodyExample(described: Operation, generic: string, views: EntityViews): void {
  const body = described.requestBody as { content: Record<string, Part> } | undefined
  const content = body?.content['application/json']
  const example = EXAMPLE_BODIES[generic]?.(views)
  if (content && example) content.example = example
}

/** Bodies that work with the entity, by the operation of the generic path; null if there are none. */
const EXAMPLE_BODIES: Record<string, (views: EntityViews) => unknown> = {
  createRecord: ({ write }) => exampleNew(write),
  createRecords: ({ write }) => listOf(exampleNew(write)),
  changeRecord: ({ update }) => exampleRecord(update, { needs: [] }),
  replaceRecord: ({ update }) => exampleRecord(update, { needs: requiredWithoutKeys(update) }),
  changeRecordByKey: ({ update }) => exampleKeyed(update),
  changeRecords: ({ update }) => listOf(exampleKeyed(update)),
  deleteRecords: ({ read }) => exampleDeletion(read),
  editRecords: ({ update }) => exampleEdit(update),
  countRecordsByBody: ({ read }) => ({ query: [broadCondition(read)] }),
  exportRecords: ({ read }) => ({ query: [broadCondition(read)], sort: sortOf(read) }),
  createRecordsExport: ({ read }) => ({ query: [broadCondition(read)], sort: sortOf(read) }),
  searchRecords: ({ read }) => ({
    query: [broadCondition(read)],
    sort: sortOf(read),
    pagination: { page: 0, size: 10 },
  }),
}

/** Values of query parameters that work with the entity. */
const EXAMPLE_QUERY: Record<string, (entity: Entity) => string> = {
  filter: (entity) => `${searchedField(entity).name}:notnull`,
  sort: ({ keys }) => `${keys[0]}:asc`,
}

const listOf = (record: JsonObject | null) => record && [record]

/** The `persistenceId` of a record whose key has example values, or null. */
function exampleId(entity: Entity): string | null {
  const key = exampleKey(entity)
  if (!key) return null
  const [only] = entity.keys.length === 1 ? Object.values(key) : []
  return only === undefined ? Buffer.from(JSON.stringify(key)).toString('base64url') : String(only)
}

function exampleKey({ keys, properties }: Entity): JsonObject | null {
  const key: JsonObject = {}
  for (const property of properties.filter(({ name }) => keys.includes(name))) {
    const value = exampleValue(property)
    if (value === undefined) return null
    key[property.name] = value
  }
  return key
}

function exampleNew(entity: DescribedEntity): JsonObject | null {
  const fixed = entity.definition.keys.filter(({ strategy }) => strategy === 'Fixed')
  const needs = [...fixed.map(({ key }) => key), ...requiredWithoutKeys(entity)]
  return exampleRecord(entity, { needs })
}

function exampleKeyed(entity: DescribedEntity): JsonObject | null {
  return exampleRecord(entity, { needs: [...entity.keys, ...requiredWithoutKeys(entity)] })
}

const requiredWithoutKeys = ({ properties, keys }: Entity): string[] =>
  properties
    .filter(
      ({ name, rules }) => rules.required && rules.default === undefined && !keys.includes(name),
    )
    .map(({ name }) => name)

/** Trying out the example deletes at most one record. */
function exampleDeletion(entity: Entity) {
  const key = exampleKey(entity)
  if (!key) return null
  const query = Object.entries(key).map(([field, value]) => ({ field, operator: 'eq', value }))
  return { entity: entity.name, query }
}

/** Trying out the example changes at most one record. */
function exampleEdit(entity: DescribedEntity) {
  const selection = exampleDeletion(entity)
  const [plain] = Object.entries(exampleRecord(entity, { needs: [] }) ?? {})
  const [other] = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  const set = plain ?? (other && [other.name, { $field: other.name }])
  return selection && set ? { ...selection, set: Object.fromEntries([set]) } : null
}

/** A condition that many records are likely to match. */
function broadCondition(entity: Entity) {
  const { name, kind, rules } = searchedField(entity)
  if (rules.enum?.[0] !== undefined) return { field: name, operator: 'eq', value: rules.enum[0] }
  return { field: name, ...(KINDS[kind].sampleCondition ?? { operator: 'notnull' }) }
}

/** The first field that people are likely to search. */
function searchedField({ name: entity, properties, keys }: Entity): Property {
  const named = properties.find(({ name, kind }) => isTextKind(kind) && !keys.includes(name))
  const field = named ?? properties[0]
  if (!field) throw new Error(`${entity} has no fields`)
  return field
}

const sortOf = ({ keys }: Entity) => [{ field: keys[0], direction: 'asc' }]
