import type { Property } from '@/lib/definitions/definition'
import { valueFault } from '@/lib/definitions/value-fault'

/**
 * The property with `generates`, when its default is `now` on a date or time, or `uuid` on a text that
 * may be a UUID. On a text with other rules (an `enum`, a short `maxLength`), `uuid` is the word itself.
 */
export function generatedDefault(property: Property): Property {
  const { kind, rules } = property
  const generates = GENERATED[kind]
  if (generates === undefined || rules.default !== generates) return property
  if (generates === 'uuid' && valueFault(property, SAMPLE) !== null) return property
  return { ...property, rules: { ...rules, generates } }
}

const GENERATED: Partial<Record<Property['kind'], 'now' | 'uuid'>> = {
  date: 'now',
  datetime: 'now',
  text: 'uuid',
}

const SAMPLE = '0f8fad5b-d9cb-469f-a165-70867728950e'
