import { allowedValues } from '@/lib/definitions/allowed-values'
import type { Entity, Property } from '@/lib/definitions/definition'
import { isAnyJsonKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { type Part, SCHEMAS } from './json-schema'

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
export function returnedRecord(entity: Entity): Part {
  const properties = entity.properties.map((property) => [
    property.name,
    returnedField(property, entity),
  ])
  return {
    type: 'object',
    ...titles(entity.schema?.label, entity.definition.description ?? entity.schema?.description),
    properties: { ...Object.fromEntries(properties), persistenceId: PERSISTENCE_ID },
    required: [...entity.properties.map(({ name }) => name), 'persistenceId'],
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

/** A field's label, description, target and examples. */
export const annotations = (property: Property): Part => ({
  ...titles(property.label, property.description),
  ...mediaType(property),
  ...referring(property),
  ...(property.example === undefined ? {} : { examples: [property.example] }),
})

/** What a text is written in. */
const mediaType = ({ rules: { contentMediaType } }: Property): Part =>
  contentMediaType === undefined ? {} : { contentMediaType }

/** The target of a field, in words, after its description. */
function referring({ description, rules: { reference } }: Property): Part {
  if (!reference) return {}
  const further = Object.entries(reference.with ?? {}).map(
    ([own, name]) => `, with \`${own}\` to \`${name}\``,
  )
  const text = `Refers to \`${reference.field}\` of ${reference.entity}${further.join('')}`
  return { description: description ? `${description}. ${text}` : text }
}
