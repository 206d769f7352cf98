import type { Entity } from '@/lib/definitions/definition'
import { expression } from '@/lib/records/contract'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import type { SearchTarget } from '@/lib/registry/target'
import { condition } from '@/lib/search/contract'
import { jsonSchemaOf, type Part, type Sources } from './components'
import {
  changedFields,
  editedFields,
  keyedRecord,
  newRecord,
  PERSISTENCE_ID,
  replacement,
  returnedFields,
  returnedRecord,
  valueSchema,
} from './record-schemas'

/** Every schema that operations refer to by name, including those of entities; made when needed. */
export function schemaSources(entities: readonly Entity[]): Sources {
  const readable = new Set(entities.map(({ name }) => name))
  return new Map([
    ...GENERAL,
    ...[...SYSTEM_ENTITIES.values()].map(
      (target) => [`${target.name}.Fields`, () => systemFields(target)] as const,
    ),
    ...entities.flatMap((entity) => sourcesOf(entity, readable)),
  ])
}

const sourcesOf = (entity: Entity, readable: ReadonlySet<string>): [string, () => Part][] => [
  [entity.name, () => returnedRecord(entity)],
  [`${entity.name}.Fields`, () => returnedFields(entity, readable)],
  [`${entity.name}.New`, () => newRecord(entity)],
  [`${entity.name}.Replacement`, () => replacement(entity)],
  [`${entity.name}.Change`, () => changedFields(entity)],
  [`${entity.name}.Keyed`, () => keyedRecord(entity)],
  [`${entity.name}.Set`, () => editedFields(entity)],
]

const anyRecord =
  (description: string, rest: Part = {}) =>
  () => ({
    type: 'object',
    description,
    ...rest,
  })

const GENERAL: readonly [string, () => Part][] = [
  [
    'Engine.Record',
    anyRecord('A record with the fields of its entity; to those who may not read, its id alone', {
      properties: { persistenceId: PERSISTENCE_ID },
      required: ['persistenceId'],
    }),
  ],
  [
    'Engine.Record.Fields',
    anyRecord('The requested fields, or all', {
      properties: { persistenceId: PERSISTENCE_ID },
    }),
  ],
  ['Engine.Record.New', anyRecord('The fields of a new record')],
  ['Engine.Record.Replacement', anyRecord('The fields of a record')],
  ['Engine.Record.Change', anyRecord('The fields that change')],
  ['Engine.Record.Keyed', anyRecord('The key of a record and the fields that change')],
  ['Engine.Record.Set', anyRecord('The fields to set, each to a value or by an operator')],
  ['Engine.Expression', () => jsonSchemaOf(expression, 'input').named['Engine.Expression'] ?? {}],
  ['Engine.Condition', () => jsonSchemaOf(condition, 'input').named['Engine.Condition'] ?? {}],
]

/** Search results of an own table: the requested fields, or all that are not hidden. */
function systemFields({ fields }: SearchTarget): Part {
  const properties = fields.map(({ name, kind, nullable }) => [name, valueSchema(kind, nullable)])
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), persistenceId: PERSISTENCE_ID },
  }
}
