import { expression } from '@/lib/records/contract'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import type { SearchTarget } from '@/lib/registry/target'
import { condition } from '@/lib/search/contract'
import { jsonSchemaOf, type Part, type Sources } from './components'
import type { EntityViews } from './entity-views'
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
export function schemaSources(entities: readonly EntityViews[]): Sources {
  const readable = new Set(entities.map(({ read }) => read.name))
  return new Map([
    ...GENERAL,
    ...[...SYSTEM_ENTITIES.values()].map(
      (target) => [`${target.name}.Fields`, () => systemFields(target)] as const,
    ),
    ...entities.flatMap((views) => sourcesOf(views, readable)),
  ])
}

const sourcesOf = (
  { read, write, update }: EntityViews,
  readable: ReadonlySet<string>,
): [string, () => Part][] => [
  [read.name, () => returnedRecord(read)],
  [`${read.name}.Fields`, () => returnedFields(read, readable)],
  [`${read.name}.New`, () => newRecord(write)],
  [`${read.name}.Replacement`, () => replacement(update)],
  [`${read.name}.Change`, () => changedFields(update)],
  [`${read.name}.Keyed`, () => keyedRecord(update)],
  [`${read.name}.Set`, () => editedFields(update)],
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
