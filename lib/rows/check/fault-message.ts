import type { ErrorObject } from 'ajv'
import type { Property } from '@/lib/definitions/definition'
import type { FaultRule } from '@/lib/definitions/definition-faults'
import { tooLongToMatch } from '@/lib/definitions/text-pattern'
import { FORMAT_NAMES } from '@/lib/kinds/formats'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json, JsonObject } from '@/lib/values/json'
import type { CompiledEntity } from '../compiled-entity'
import { addFault, pointerTo, type RecordFaults, showable, shownIn } from '../record-faults'

/** The broken rule in words that follow the field's name: `must be …`. */
function faultMessage(
  { keyword, params, schemaPath }: ErrorObject,
  property: Property,
  value: Json | undefined,
): string {
  if (keyword === 'required' || (keyword === 'type' && value === null)) return 'is required'
  const { rules } = property
  switch (keyword) {
    case 'enum':
      return rules.enum ? `must be one of ${listed(rules.enum)}` : `must be ${typeName(property)}`
    case 'minLength':
      return `must have at least ${count(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${count(params.limit, 'character')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'textPattern': {
      const { pattern, maxChars } = params.rule
      if (typeof value === 'string' && value.length > maxChars) return tooLongToMatch(maxChars)
      return `must match the pattern ${pattern}`
    }
    case 'textFormat':
    case 'optionalFormat':
      return `must be ${FORMAT_NAMES[rules.format ?? ''] ?? 'well formed'}`
    case 'maxBytes':
      return `is too long for an indexed field: ${params.limit} bytes at most`
    case 'numeric':
      return `must be ${typeName(property)}${limits(rules)}`
    default:
      return schemaPath.startsWith('#/type') ? 'must be an object' : `must be ${typeName(property)}`
  }
}

/** Which rule it is, and what it allows. */
function faultRule(
  { keyword, params }: ErrorObject,
  { rules, type }: Property,
  value: Json | undefined,
): { rule: FaultRule; allowed?: () => Json | undefined } {
  if (keyword === 'required' || (keyword === 'type' && value === null)) return { rule: 'required' }
  switch (keyword) {
    case 'enum':
      return rules.enum
        ? { rule: 'enum', allowed: () => rules.enum }
        : { rule: 'type', allowed: () => type }
    case 'minLength':
    case 'maxLength':
      return { rule: keyword, allowed: () => params.limit }
    case 'minimum':
      return { rule: 'min', allowed: () => params.limit }
    case 'maximum':
      return { rule: 'max', allowed: () => params.limit }
    case 'textPattern':
      return { rule: 'pattern', allowed: () => params.rule.pattern }
    case 'textFormat':
    case 'optionalFormat':
      return { rule: 'format', allowed: () => rules.format }
    case 'maxBytes':
      return { rule: 'size', allowed: () => params.limit }
    default:
      return { rule: 'type', allowed: () => type }
  }
}

const listed = (values: Json[]): string => {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(showable(value)))
  return values.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ')
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

function limits({ min, max }: Property['rules']): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

const typeName = ({ kind, type }: Property): string => KINDS[kind].words(type)

/**
 * Puts Ajv's errors into words. One fault a field, since others mostly follow from it.
 * Returns the names of the faulty fields.
 */
export function addRuleFaults(
  faults: RecordFaults,
  { fields }: CompiledEntity,
  errors: ErrorObject[],
  record: JsonObject,
  index: number,
): Set<string> {
  const seen = new Set<string>()
  for (const error of errors) {
    const name = nameIn(error)
    const field = fields.get(name)
    if (!field || seen.has(name)) continue
    seen.add(name)
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    const message = () => faultMessage(error, field.property, value)
    const about = { ...faultRule(error, field.property, value), field: name, index, message }
    addFault(faults, { ...about, value: shownIn(value) }, () => ({
      index,
      pointer: pointerTo(name),
      message: message(),
      ...(value === undefined ? {} : { value: showable(value) }),
    }))
  }
  return seen
}

// Only fields themselves have rules, and names of declared fields need no unescaping.
const nameIn = ({ keyword, params, instancePath }: ErrorObject): string =>
  keyword === 'required' ? params.missingProperty : instancePath.slice(1)
