import { type Actor, can, type Right } from '@/lib/auth/rights'
import type { Entity } from '@/lib/entities/definition'
import type { Operation } from './describe-operation'
import { exampleRecord, exampleValue } from './example-record'
import { type Part, SCHEMAS } from './json-schema'
import { entityTag } from './tags'

export type GenericOperation = {
  path: string
  method: string
  operation: Operation
  /** The right that calling it takes, of one entity. */
  rightFor: (entity: string) => Right | null
}

/** Whether the caller may do this to records of the entity. */
export function isOpenTo(actor: Actor, entity: Entity, right: Right | null): boolean {
  if (right === null || typeof right === 'string') return false
  return entity.definition.permissions[right.action] && can(actor, right)
}

/** The operation of a generic path on one entity: its schemas, and examples with its fields. */
export function operationOn(
  entity: Entity,
  { path, operation }: GenericOperation,
): [string, Operation] {
  const { name } = entity
  const own = specialised(operation, name)
  const parameters = (own.parameters as Part[] | undefined)?.filter(
    (parameter) => parameter.name !== 'entityName',
  )
  const described: Operation = {
    ...own,
    operationId: own.operationId.replace(/Record|Columns/, `${name}$&`),
    tags: [entityTag(name)],
    parameters: parameters?.map((parameter) => withExample(parameter, entity)),
  }
  if (parameters?.length === 0) delete described.parameters
  addBodyExample(described, operation.operationId, entity)
  return [path.replace('{entityName}', name), described]
}

const specialised = (operation: Operation, name: string): Operation =>
  JSON.parse(
    JSON.stringify(operation).replaceAll(`"${SCHEMAS}Engine.Record`, `"${SCHEMAS}${name}`),
  ) as Operation

function withExample(parameter: Part, entity: Entity): Part {
  if (parameter.name === 'id') return { ...parameter, example: exampleId(entity) }
  return parameter
}

/** The id of a record whose key has example values. */
function exampleId({ keys, properties }: Entity): string {
  const values = keys.map((key) => {
    const property = properties.find(({ name }) => name === key)
    return [key, property ? exampleValue(property) : 1] as const
  })
  const [only] = values
  if (values.length === 1 && only) return String(only[1])
  return Buffer.from(JSON.stringify(Object.fromEntries(values))).toString('base64url')
}

/** Bodies by the operation of the generic path. */
const BODIES: Record<string, (entity: Entity) => unknown> = {
  createRecord: newExample,
  createRecords: (entity) => [newExample(entity)],
  changeRecord: (entity) => exampleRecord(entity, { needs: [] }),
  replaceRecord: (entity) => exampleRecord(entity, { needs: requiredWithoutKeys(entity) }),
  changeRecordByKey: (entity) => exampleRecord(entity, { needs: entity.keys }),
  changeRecords: (entity) => [exampleRecord(entity, { needs: entity.keys })],
  deleteRecords: (entity) => ({ entity: entity.name, query: [conditionOn(entity)] }),
  countRecordsByBody: (entity) => ({ query: [conditionOn(entity)] }),
  exportRecords: (entity) => ({ query: [conditionOn(entity)], sort: sortOf(entity) }),
  searchRecords: (entity) => ({
    query: [conditionOn(entity)],
    sort: sortOf(entity),
    pagination: { page: 0, size: 10 },
  }),
}

function addBodyExample(described: Operation, generic: string, entity: Entity): void {
  const body = described.requestBody as { content: Record<string, Part> } | undefined
  const content = body?.content['application/json']
  const make = BODIES[generic]
  if (content && make) content.example = make(entity)
}

function newExample(entity: Entity) {
  const fixed = entity.definition.keys.filter(({ strategy }) => strategy === 'Fixed')
  const needs = [...fixed.map(({ key }) => key), ...requiredWithoutKeys(entity)]
  return exampleRecord(entity, { needs })
}

const requiredWithoutKeys = ({ properties, keys }: Entity): string[] =>
  properties
    .filter(
      ({ name, rules }) => rules.required && rules.default === undefined && !keys.includes(name),
    )
    .map(({ name }) => name)

/** The first field that people would look for, with a value it may have. */
function conditionOn({ properties, keys }: Entity): Part {
  const plain = properties.find(({ name, kind }) => kind === 'text' && !keys.includes(name))
  const field = plain ?? properties[0]
  if (!field) return { field: keys[0], operator: 'notnull' }
  return { field: field.name, operator: 'eq', value: exampleValue(field) }
}

const sortOf = ({ keys }: Entity) => [{ field: keys[0], direction: 'asc' }]
