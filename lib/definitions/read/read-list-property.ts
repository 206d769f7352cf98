import { isDeepStrictEqual } from 'node:util'
import { describeType, type FileDetail, fault } from '@/lib/definitions/definition-faults'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { type RawProperty, type RawRule, RULE_NAMES } from './raw-property'

/** Reads `{ name, type, label?, meta?: { …rules } }`; rules may also be next to `name`. */
export function readListProperty(
  json: Json,
  pointer: string,
  faults: FileDetail[],
): RawProperty | null {
  if (!isObject(json)) {
    faults.push(fault(pointer, `Must be an object with name and type, not ${describeType(json)}`))
    return null
  }
  const name = readText(json, 'name', pointer, faults)
  const type = readText(json, 'type', pointer, faults)
  const label = json.label == null ? undefined : readText(json, 'label', pointer, faults)
  const rules = readRules(json, pointer, faults)
  if (name === null || type === null) return null
  return { name, pointer, type, label: label ?? undefined, rules }
}

function readText(
  json: JsonObject,
  key: string,
  pointer: string,
  faults: FileDetail[],
): string | null {
  const value = json[key]
  if (typeof value === 'string') return value
  const message =
    value == null ? 'Is missing; it must be text' : `Must be text, not ${describeType(value)}`
  faults.push(fault(`${pointer}/${key}`, message, value))
  return null
}

function readRules(json: JsonObject, pointer: string, faults: FileDetail[]): Map<string, RawRule> {
  const rules = collect(json, pointer)
  if (json.meta == null) return rules
  if (!isObject(json.meta)) {
    faults.push(fault(`${pointer}/meta`, `Must be an object, not ${describeType(json.meta)}`))
    return rules
  }
  for (const [rule, found] of collect(json.meta, `${pointer}/meta`)) {
    const flat = rules.get(rule)
    if (flat && !isDeepStrictEqual(flat.value, found.value))
      faults.push(fault(found.pointer, `Contradicts ${flat.pointer}; give it once`, found.value))
    rules.set(rule, found)
  }
  return rules
}

const ALIASES = new Map([
  ['minimum', 'min'],
  ['maximum', 'max'],
])

function collect(json: JsonObject, pointer: string): Map<string, RawRule> {
  const rules = new Map<string, RawRule>()
  for (const name of [...ALIASES.keys(), ...RULE_NAMES]) {
    const value = Object.hasOwn(json, name) ? json[name] : null
    if (value != null)
      rules.set(ALIASES.get(name) ?? name, { value, pointer: `${pointer}/${name}` })
  }
  return rules
}

/** The rules directly on a property, under the engine's names. */
export { collect as collectRules }
