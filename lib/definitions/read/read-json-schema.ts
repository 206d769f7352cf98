import {
  describeType,
  type FileDetail,
  fault,
  toPointer,
} from '@/lib/definitions/definition-faults'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { addExclusiveBounds } from './exclusive-bounds'
import { readJsonSchemaType } from './json-schema-type'
import type { RawProperty } from './raw-property'
import { collectRules } from './read-list-property'

/** Reads the `properties` and `required` of a JSON Schema for an object. */
export function readJsonSchema(
  { properties, required }: JsonObject,
  pointer: string,
  faults: FileDetail[],
): RawProperty[] {
  const names = readRequired(required, `${pointer}/required`, faults)
  if (!isObject(properties)) return []
  for (const name of names)
    if (!Object.hasOwn(properties, name))
      faults.push(fault(`${pointer}/required`, `Names "${name}", which is not a property`))
  return Object.entries(properties).flatMap(([name, json]) => {
    const at = `${pointer}/properties${toPointer([name])}`
    const property = readProperty(name, json, at, faults)
    if (property && names.has(name))
      property.rules.set('required', { value: true, pointer: `${pointer}/required` })
    return property ?? []
  })
}

function readRequired(value: Json | undefined, pointer: string, faults: FileDetail[]): Set<string> {
  if (value == null || value === false || value === true) return new Set()
  const isList = Array.isArray(value) && value.every((name) => typeof name === 'string')
  if (!isList) faults.push(fault(pointer, 'Must be a list of property names'))
  return new Set(isList ? value : [])
}

function readProperty(
  name: string,
  json: Json,
  pointer: string,
  faults: FileDetail[],
): RawProperty | null {
  if (!isObject(json)) {
    faults.push(fault(pointer, `Must be a JSON Schema, not ${describeType(json)}`))
    return null
  }
  if (Object.hasOwn(json, '$ref')) {
    faults.push(fault(`${pointer}/$ref`, 'References are not followed; write the schema out here'))
    return null
  }
  const nested = isObject(json.meta) ? collectRules(json.meta, `${pointer}/meta`) : []
  const rules = new Map([...collectRules(json, pointer), ...nested])
  // In JSON Schema `required` of an object lists its own properties.
  if (Array.isArray(json.required)) rules.delete('required')
  if (json.const != null) rules.set('enum', { value: [json.const], pointer: `${pointer}/const` })
  addExclusiveBounds(json, pointer, rules)
  const label = typeof json.label === 'string' ? json.label : json.title
  return {
    name,
    pointer,
    type: readJsonSchemaType(json, pointer, rules, faults),
    label: typeof label === 'string' ? label : undefined,
    rules,
  }
}
