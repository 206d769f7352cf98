import { isObject, type Json } from '@/lib/values/json'
import { toPointer } from '../definition-faults'

/** JSON Schema's keywords; those that say nothing about a column are ignored without a warning. */
export const JSON_SCHEMA_KEYS = (
  'type title label meta const examples readOnly writeOnly deprecated contentEncoding contentMediaType ' +
  'properties required additionalProperties patternProperties propertyNames minProperties maxProperties ' +
  'items prefixItems contains minItems maxItems uniqueItems multipleOf exclusiveMinimum exclusiveMaximum ' +
  'allOf anyOf oneOf not if then else definitions nullable'
).split(' ')

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS =
  'items prefixItems contains additionalProperties propertyNames allOf anyOf oneOf not if then else'.split(
    ' ',
  )
/** Keywords whose value holds a schema for each name. */
const NAMED_SCHEMAS = ['properties', 'patternProperties', 'definitions', '$defs']

/** The schemas directly inside a JSON Schema, each with its pointer; not in values such as `default`. */
export function subschemas(json: Json, pointer: string): [schema: Json, pointer: string][] {
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([key, value]) => {
    const at = pointer + toPointer([key])
    if (SCHEMAS.includes(key)) return Array.isArray(value) ? within(value, at) : [[value, at]]
    return NAMED_SCHEMAS.includes(key) && isObject(value) ? within(value, at) : []
  })
}

const within = (schemas: Json[] | { [name: string]: Json }, pointer: string): [Json, string][] =>
  Object.entries(schemas).map(([name, schema]) => [schema, pointer + toPointer([name])])
