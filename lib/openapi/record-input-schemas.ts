import type { Entity, Property } from '@/lib/definitions/definition'
import { checkedProperties, recordSchema } from '@/lib/records/record-schema'
import { exampleRecord } from './example-record'
import type { Part } from './json-schema'
import { annotations } from './record-answer-schemas'

/** The four forms in which records are sent, made of the schemas they are checked with. */
export const newRecord = (entity: Entity): Part => sent(entity, 'whole', requiredOf(entity))

/** A `PUT` takes what the entity's `updateStrategy` asks for: all of a record, or what changes. */
export const replacement = (entity: Entity): Part =>
  isReplaced(entity)
    ? sent(entity, 'whole', without(requiredOf(entity), entity.keys))
    : changedFields(entity)

export const changedFields = (entity: Entity): Part => sent(entity, 'partial', [])

export const keyedRecord = (entity: Entity): Part =>
  isReplaced(entity)
    ? sent(entity, 'whole', [...new Set([...entity.keys, ...requiredOf(entity)])])
    : sent(entity, 'partial', entity.keys)

const isReplaced = ({ definition }: Entity) => definition.updateStrategy === 'Replace'

const requiredOf = (entity: Entity) => recordSchema(entity, 'whole').required as string[]

const without = (names: string[], others: string[]) =>
  names.filter((name) => !others.includes(name))

function sent(entity: Entity, rules: 'whole' | 'partial', required: string[]): Part {
  const checked = recordSchema(entity, rules).properties as Record<string, Part>
  const properties = checkedProperties(entity).map((property) => [
    property.name,
    published(checked[property.name] ?? {}, property),
  ])
  const example = exampleRecord(entity, { needs: required })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...setByServer(entity) },
    ...(required.length > 0 ? { required } : {}),
    ...(entity.open ? {} : { additionalProperties: false }),
    ...(example ? { examples: [example] } : {}),
  }
}

/** What the server sets is overlooked in what comes in, so that a record that was read can be sent back. */
function setByServer(entity: Entity): Part {
  const checked = new Set(checkedProperties(entity).map(({ name }) => name))
  const others = entity.properties.filter(({ name }) => !checked.has(name))
  const names = [...others.map(({ name }) => name), 'persistenceId']
  return Object.fromEntries(names.map((name) => [name, { readOnly: true }]))
}

const FORMATS: Record<string, string> = { email: 'email', url: 'uri', uuid: 'uuid' }
const STORED: Record<string, string> = { date: 'date', datetime: 'date-time' }

/** The keywords that every reader of JSON Schema knows, in place of our own. */
function published(schema: Part, property: Property): Part {
  const {
    textFormat,
    optionalFormat = textFormat,
    stored,
    numeric,
    maxBytes: _,
    pattern,
    type,
    ...rest
  } = schema
  const { min, max } = (numeric ?? {}) as { min?: number; max?: number }
  const format = FORMATS[optionalFormat as string] ?? STORED[stored as string]
  const formatted: Part = format ? { format } : {}
  const types = simplest(type as string[])
  return {
    type: types,
    ...rest,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(isPattern(pattern) ? { pattern } : {}),
    ...(optionalFormat === textFormat ? formatted : orEmpty(types, formatted)),
    ...(property.rules.default === undefined ? {} : { default: property.rules.default }),
    ...annotations(property),
  }
}

/** The format of a text that is not required does not apply to an empty one. */
const orEmpty = (type: unknown, formatted: Part): Part =>
  'format' in formatted ? { anyOf: [{ const: '' }, { type, ...formatted }] } : {}

const simplest = (types: string[]) => (types.length === 1 ? types[0] : types)

/** Patterns are of RE2, which JavaScript mostly knows too. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    return Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}
