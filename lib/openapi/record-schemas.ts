import { allowedValues } from '@/lib/definitions/allowed-values'
import type { Entity, Property } from '@/lib/definitions/definition'
import type { FieldKind } from '@/lib/kinds/field-kind'
import { isAnyJsonKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { checkedProperties, recordSchema } from '@/lib/rows/record-schema'
import { type Part, SCHEMAS } from './components'
import type { DescribedEntity } from './entity-views'
import { exampleRecord } from './example-record'
import { isList, listSchemas } from './list-schemas'

export const PERSISTENCE_ID: Part = {
  type: 'string',
  description: 'The id in the address of the record',
}

/** A value of this kind in a returned record. */
export function valueSchema(kind: Kind, nullable: boolean): Part {
  const { type, ...rest } = KINDS[kind].schema
  return type === undefined ? rest : { type: nullable ? [type, 'null'] : type, ...rest }
}

/** A whole record of an entity in responses. */
export function returnedRecord(entity: DescribedEntity): Part {
  const inEach = entity.properties.filter(({ name }) => !entity.shownInSome?.has(name))
  const properties = entity.properties.map((property) => [
    property.name,
    returnedField(property, entity),
  ])
  return {
    type: 'object',
    ...titles(entity.schema?.label, entity.definition.description ?? entity.schema?.description),
    properties: { ...Object.fromEntries(properties), persistenceId: PERSISTENCE_ID },
    required: [...inEach.map(({ name }) => name), 'persistenceId'],
    ...(entity.open ? {} : { additionalProperties: false }),
  }
}

/**
 * Search results: the requested fields of a record, by their paths, with records in place of expanded
 * references; or groups, whose values can have any name.
 */
export function returnedFields(entity: Entity, readable: ReadonlySet<string>): Part {
  const properties = entity.properties.map((property) => {
    const value = returnedField(property, entity)
    const referred = property.rules.reference?.entity
    if (!referred) return [property.name, value]
    const $ref = `${SCHEMAS}${readable.has(referred) ? `${referred}.Fields` : 'Engine.Record'}`
    return [property.name, { anyOf: [value, { $ref }] }]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), persistenceId: PERSISTENCE_ID },
  }
}

/** Stored values need not satisfy the present rules, so only the type is described, not the limits. */
function returnedField(property: Property, { keys }: Entity): Part {
  const { kind, rules } = property
  const nullable = !(rules.required || keys.includes(property.name))
  const allowed = isAnyJsonKind(kind) ? undefined : allowedValues(property)
  const values = allowed ? { enum: nullable ? [...allowed, null] : allowed } : {}
  return {
    ...valueSchema(kind, nullable),
    ...values,
    ...annotations(property),
  }
}

const titles = (title?: string, description?: string): Part => ({
  ...(title ? { title } : {}),
  ...(description ? { description } : {}),
})

/** A field's label, description, target and examples, and what people see of its values. */
const annotations = (property: Property): Part => ({
  ...titles(property.label, property.description),
  ...mediaType(property),
  ...shownAs(property),
  ...referring(property),
  ...(property.example === undefined ? {} : { examples: [property.example] }),
})

/** What a text is written in. */
const mediaType = ({ rules: { contentMediaType } }: Property): Part =>
  contentMediaType === undefined ? {} : { contentMediaType }

/** What people see in place of values, and behind them. */
function shownAs({ display: { choices = [], unit } = {} }: Property): Part {
  const labelled = choices.flatMap(({ value, label }) => (label ? [[String(value), label]] : []))
  return {
    ...(labelled.length > 0 ? { 'x-enum-labels': Object.fromEntries(labelled) } : {}),
    ...(unit ? { 'x-unit': unit } : {}),
  }
}

/** The target of a field, in words, after its description. */
function referring({ description, rules: { reference } }: Property): Part {
  if (!reference) return {}
  const further = Object.entries(reference.with ?? {}).map(
    ([own, name]) => `, with \`${own}\` to \`${name}\``,
  )
  const text = `Refers to \`${reference.field}\` of ${reference.entity}${further.join('')}`
  return { description: description ? `${description}. ${text}` : text }
}

/** The forms in which records are sent, made from the schemas that check them. */
export const newRecord = (entity: DescribedEntity): Part =>
  sent(entity, 'whole', requiredOf(entity), true)

/** The body of `PUT` follows the entity's `updateStrategy`: a whole record, or the changes. */
export const replacement = (entity: DescribedEntity): Part =>
  isReplaced(entity)
    ? sent(entity, 'whole', without(requiredOf(entity), entity.keys))
    : changedFields(entity)

export const changedFields = (entity: DescribedEntity): Part => sent(entity, 'partial', [])

export const keyedRecord = (entity: DescribedEntity): Part =>
  isReplaced(entity)
    ? sent(entity, 'whole', [...new Set([...entity.keys, ...requiredOf(entity)])])
    : sent(entity, 'partial', entity.keys)

/** The fields that an edit sets, each to a value or by an operator. */
export function editedFields(entity: DescribedEntity): Part {
  const { properties, examples: _, ...rest } = changedFields(entity)
  const settable = Object.entries(properties as Record<string, Part>).filter(
    ([name, { readOnly }]) => !readOnly && !entity.keys.includes(name) && !isList(entity, name),
  )
  const either = settable.map(([name, value]) => [name, { anyOf: [value, EXPRESSION] }])
  return { ...rest, properties: Object.fromEntries(either), minProperties: 1 }
}

const EXPRESSION = { $ref: '#/components/schemas/Engine.Expression' }

const isReplaced = ({ definition }: Entity) => definition.updateStrategy === 'Replace'

const requiredOf = (entity: Entity) => recordSchema(entity, 'whole').required as string[]

const without = (names: string[], others: string[]) =>
  names.filter((name) => !others.includes(name))

function sent(
  entity: DescribedEntity,
  rules: 'whole' | 'partial',
  required: string[],
  isNew = false,
): Part {
  const checked = recordSchema(entity, rules).properties as Record<string, Part>
  const properties = checkedProperties(entity).map((property) => [
    property.name,
    published(checked[property.name] ?? {}, property),
  ])
  const example = exampleRecord(entity, { needs: required })
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties),
      ...listSchemas(entity, isNew),
      ...setByServer(entity),
    },
    ...(required.length > 0 ? { required } : {}),
    ...(entity.open ? {} : { additionalProperties: false }),
    ...(example ? { examples: [example] } : {}),
  }
}

/** Fields that the server sets are ignored in requests, so that a record can be sent back as read. */
function setByServer(entity: Entity): Part {
  const checked = new Set(checkedProperties(entity).map(({ name }) => name))
  const others = entity.properties.filter(({ name }) => !checked.has(name))
  const names = [...others.map(({ name }) => name), 'persistenceId']
  return Object.fromEntries(names.map((name) => [name, { readOnly: true }]))
}

const FORMATS: Record<string, string> = { email: 'email', url: 'uri', uuid: 'uuid' }

/** The keywords of standard JSON Schema, in place of our own. */
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
  const own: FieldKind['schema'] = stored ? KINDS[stored as Kind].schema : {}
  const { type: _type, format: storedFormat, ...shape } = own
  const format = FORMATS[optionalFormat as string] ?? storedFormat
  const formatted: Part = format ? { format } : {}
  const types = simplest(type as string[])
  return {
    type: types,
    ...rest,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(isPattern(pattern) ? { pattern } : {}),
    ...shape,
    ...(optionalFormat === textFormat ? formatted : orEmpty(types, formatted)),
    ...fixedDefault(property),
    ...annotations(property),
  }
}

/** A default that is made for each record has no value to describe. */
const fixedDefault = ({ rules }: Property): Part =>
  rules.default === undefined || rules.generates ? {} : { default: rules.default }

/** The format of a text that is not required does not apply to an empty one. */
const orEmpty = (type: unknown, formatted: Part): Part =>
  'format' in formatted ? { anyOf: [{ const: '' }, { type, ...formatted }] } : {}

const simplest = (types: string[]) => (types.length === 1 ? types[0] : types)

/** Patterns use RE2 syntax, most of which JavaScript shares. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    return Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}
