import type { Property, Rules } from '@/lib/definitions/definition'
import { type FileDetail, fault } from '@/lib/definitions/definition-faults'
import { toFieldDisplay } from '@/lib/definitions/display-input'
import { propertyNameFault } from '@/lib/definitions/names'
import { resolveType, type Types } from '@/lib/definitions/resolve-type'
import { valueFault } from '@/lib/definitions/value-fault'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json } from '@/lib/values/json'
import { contradictingRules, tooMuchToMatch } from './contradicting-rules'
import type { RawProperty, RawRule } from './raw-property'
import { readRules } from './read-rules'

/** The normalised form of a property, or null after adding what is wrong to `faults`. */
export function toProperty(raw: RawProperty, types: Types, faults: FileDetail[]): Property | null {
  const found: FileDetail[] = []
  const nameFault = propertyNameFault(raw.name)
  if (nameFault) found.push(fault(raw.pointer, `"${raw.name}": ${nameFault}`))
  const type = resolveType(raw.type, types)
  if ('fault' in type) {
    faults.push(...found, fault(`${raw.pointer}/type`, type.fault, raw.type))
    return null
  }
  const inherited = [...type.meta].map(([rule, value]): [string, RawRule] => [
    rule,
    { value, pointer: `${raw.pointer}/type` },
  ])
  const all = new Map([...inherited, ...raw.rules])
  const { description, example, examples, renamedFrom, ...others } = readRules(
    all,
    type.kind,
    found,
  )
  const { choices, group, hint, hidden, numberFormat, unit, ...rules } = others
  const display = toFieldDisplay({ group, hint, hidden, numberFormat, unit }, choices)
  if (type.format) rules.format = type.format
  const former = renamedFrom === undefined ? [] : [...new Set([renamedFrom].flat())]
  const declared = {
    ...build(raw, type, rules, description),
    ...renamed(former),
    ...(display ? { display } : {}),
  }
  const property = generatedDefault(declared)
  if (found.length === 0) found.push(...contradictingRules(property, all, raw.pointer))
  faults.push(...found)
  if (found.length > 0) return null
  const shown = firstFittingExample(property, example, examples)
  return shown === undefined ? property : { ...property, example: shown }
}

const renamed = (names: string[]) => (names.length > 0 ? { renamedFrom: names } : {})

const build = (
  { name, label }: RawProperty,
  { type, kind, ofType }: Pick<Property, 'type' | 'kind' | 'ofType'>,
  rules: Rules,
  description?: string,
): Property => ({
  name,
  type,
  kind,
  ...(ofType ? { ofType } : {}),
  ...(label ? { label } : {}),
  ...(description ? { description } : {}),
  rules,
})

const MAX_JSON_CHARS = 1_000
/** Limits `examples`, each of which may have to be matched with a pattern. */
const MAX_CANDIDATES = 3

/**
 * The `example` of a property, otherwise the first of its `examples` (JSON Schema), that its rules allow.
 * Others are ignored without making the definition invalid, as JSON Schema does.
 */
function firstFittingExample(
  property: Property,
  example: Json | undefined,
  examples: Json | undefined,
): Json | undefined {
  const listed = Array.isArray(examples) ? examples.slice(0, MAX_CANDIDATES) : []
  const candidates = example === undefined ? listed : [example, ...listed]
  return candidates.find((value) => value !== null && fits(property, value))
}

function fits(property: Property, value: Json): boolean {
  if (JSON.stringify(value).length > MAX_JSON_CHARS) return false
  const { pattern } = property.rules
  if (pattern && typeof value === 'string' && tooMuchToMatch(pattern, [value])) return false
  return valueFault(property, value) === null
}

/**
 * The property with `generates`, when its default is `now` on a date or time, or `uuid` on a text that
 * may be a UUID. On a text with other rules (an `enum`, a short `maxLength`), `uuid` is the word itself.
 */
function generatedDefault(property: Property): Property {
  const { kind, rules } = property
  const generates = KINDS[kind].now ? 'now' : isTextKind(kind) ? 'uuid' : null
  if (generates === null || rules.default !== generates) return property
  if (generates === 'uuid' && valueFault(property, SAMPLE) !== null) return property
  return { ...property, rules: { ...rules, generates } }
}

const SAMPLE = '0f8fad5b-d9cb-469f-a165-70867728950e'
