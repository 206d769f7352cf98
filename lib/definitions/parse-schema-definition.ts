import { z } from 'zod'
import { isJsonKind } from '@/lib/kinds/kind'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { computedFault } from './computed/computed-faults'
import type { Property, SchemaDefinition, UniqueRule } from './definition'
import { check, describeType, type FileDetail, fault, type Parsed } from './definition-faults'
import { formerNameFaults } from './former-names'
import { clashes, identifierFault } from './names'
import { toProperty } from './read/property-rules'
import type { RawProperty } from './read/raw-property'
import { readJsonSchema } from './read/read-json-schema'
import { readListProperty } from './read/read-list-property'
import type { Types } from './resolve-type'
import { toUniqueRule, uniqueInput } from './unique-input'
import { unstorableText } from './unstorable-text'

/** PostgreSQL's limit is 1,600 columns, including dropped ones. */
export const MAX_PROPERTIES = 1_000
/** Each takes some milliseconds to compile. */
const MAX_PATTERNS = 100

/** Everything but the properties, which `readListProperty` and `readJsonSchema` read. */
export const schemaHeader = z.object({
  name: z.string(),
  label: z.string().nullish(),
  description: z.string().nullish(),
  additionalProperties: z
    .union([z.boolean(), z.looseObject({})], 'Must be true or false')
    .nullish(),
  unique: uniqueInput.nullish(),
})

/**
 * Reads a schema definition in either form. `types` are those that plugins define,
 * in the archive and installed. Returns all faults, or the normalised definition.
 */
export function parseSchemaDefinition(
  json: Json,
  types: Types = new Map(),
): Parsed<SchemaDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  const head = check(schemaHeader, json)
  const faults = 'faults' in head ? [...head.faults] : []
  if (!isObject(json)) return { faults }
  const properties = readProperties(json, types, faults)
  if ('faults' in head) return { faults }
  const { name, label, description, additionalProperties } = head.data
  const unique = (head.data.unique ?? []).map(toUniqueRule)
  if (faults.length === 0) faults.push(...uniqueFaults(unique, properties, json))
  const nameFault = identifierFault(name)
  if (nameFault) faults.unshift(fault('/name', nameFault, name))
  if (faults.length > 0) return { faults }
  const definition = {
    name,
    ...(label ? { label } : {}),
    ...(description ? { description } : {}),
    additionalProperties: additionalProperties !== false,
    properties,
    ...(unique.length > 0 ? { unique } : {}),
  }
  return { definition }
}

/** Only of a schema without other faults, since a faulty property is not among the properties. */
function uniqueFaults(
  rules: readonly UniqueRule[],
  properties: readonly Property[],
  { unique }: JsonObject,
): FileDetail[] {
  if (!Array.isArray(unique)) return []
  return rules.flatMap(({ fields }, index) =>
    fields.flatMap((name, at) => {
      const pointer = `/unique/${index}/fields/${at}`
      const property = properties.find((one) => one.name === name)
      if (!property) return [fault(pointer, `There is no property "${name}"`, name)]
      const isDocument = isJsonKind(property.kind)
      if (isDocument)
        return [fault(pointer, `${name} is ${property.type}, which has no order`, name)]
      return fields.indexOf(name) === at ? [] : [fault(pointer, 'Is named twice', name)]
    }),
  )
}

function readProperties(json: JsonObject, types: Types, faults: FileDetail[]): Property[] {
  const raw = readForm(json, faults)
  if (raw.length > MAX_PROPERTIES) {
    faults.push(
      fault('/properties', `Has ${raw.length} properties; at most ${MAX_PROPERTIES} are allowed`),
    )
    return []
  }
  const patterns = raw.filter(({ rules }) => rules.has('pattern')).length
  if (patterns > MAX_PATTERNS) {
    faults.push(
      fault('/properties', `Has ${patterns} patterns; at most ${MAX_PATTERNS} are allowed`),
    )
    return []
  }
  const properties = raw.flatMap((property) => toProperty(property, types, faults) ?? [])
  const names = raw.map(({ name }) => name)
  for (const { name, renamedFrom } of properties) {
    const at = raw.find((one) => one.name === name)?.rules.get('renamedFrom')?.pointer ?? ''
    faults.push(...formerNameFaults(name, renamedFrom, at, names))
  }
  for (const property of properties) {
    if (property.rules.computed === undefined) continue
    const { value, pointer = '' } =
      raw.find(({ name }) => name === property.name)?.rules.get('computed') ?? {}
    const wrong = computedFault(property, properties)
    if (wrong) faults.push(fault(pointer, wrong, value))
  }
  for (const [index, earlier] of clashes(names)) {
    const [second, first] = [raw[index], raw[earlier]]
    if (second && first)
      faults.push(fault(second.pointer, `"${second.name}" clashes with "${first.name}"`))
  }
  return properties
}

function readForm(json: JsonObject, faults: FileDetail[]): RawProperty[] {
  const { properties } = json
  if (Array.isArray(properties)) {
    return properties.flatMap(
      (item, index) => readListProperty(item, `/properties/${index}`, faults) ?? [],
    )
  }
  const found = jsonSchemaOf(json)
  if (found) return readJsonSchema(found.schema, found.pointer, faults)
  if (properties == null) return []
  const message = `Must be a list of properties or a JSON Schema object, not ${describeType(properties)}`
  faults.push(fault('/properties', message))
  return []
}

/** The JSON Schema of a definition in that form, and its pointer; null for the form with a list. */
export function jsonSchemaOf(json: JsonObject): { schema: JsonObject; pointer: string } | null {
  const { properties } = json
  if (!isObject(properties)) return null
  return isWholeSchema(properties)
    ? { schema: properties, pointer: '/properties' }
    : { schema: json, pointer: '' }
}

/** `properties` itself may be a JSON Schema of an object, with `type`, `properties` and `required`. */
function isWholeSchema(json: JsonObject): boolean {
  if (typeof json.type === 'string' || Array.isArray(json.required)) return true
  const { properties } = json
  return (
    isObject(properties) && !('type' in properties) && Object.values(properties).every(isObject)
  )
}
