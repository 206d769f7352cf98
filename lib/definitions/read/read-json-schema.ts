import {
  describeType,
  type FileDetail,
  fault,
  toPointer,
} from '@/lib/definitions/definition-faults'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
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

/** Converts `exclusiveMinimum` and `exclusiveMaximum` to inclusive bounds, where they are tighter. */
function addExclusiveBounds(json: JsonObject, pointer: string, rules: RawProperty['rules']): void {
  for (const [keyword, rule, sign] of EXCLUSIVE) {
    const bound = json[keyword]
    if (typeof bound !== 'number') continue
    const inclusive = [json.type].flat().includes('integer')
      ? nextInteger(bound, sign)
      : nextNumber(bound, sign)
    const input = rules.get(rule)?.value
    const isTighter = typeof input !== 'number' || (inclusive - input) * sign > 0
    if (isTighter) rules.set(rule, { value: inclusive, pointer: `${pointer}/${keyword}` })
  }
}

const EXCLUSIVE = [
  ['exclusiveMinimum', 'min', 1],
  ['exclusiveMaximum', 'max', -1],
] as const

const nextInteger = (bound: number, sign: 1 | -1) =>
  sign === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1

/** The adjacent double, which turns an exclusive bound into an inclusive one. */
function nextNumber(bound: number, sign: 1 | -1): number {
  if (bound === 0) return sign * Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([bound]).buffer)
  bits[0] = (bits[0] ?? 0n) + (bound > 0 === sign > 0 ? 1n : -1n)
  return new Float64Array(bits.buffer)[0] ?? bound
}
