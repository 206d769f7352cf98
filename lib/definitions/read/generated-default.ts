import type { Property } from '@/lib/definitions/definition'
import { valueFault } from '@/lib/definitions/value-fault'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'

/**
 * The property with `generates`, when its default is `now` on a date or time, or `uuid` on a text that
 * may be a UUID. On a text with other rules (an `enum`, a short `maxLength`), `uuid` is the word itself.
 */
export function generatedDefault(property: Property): Property {
  const { kind, rules } = property
  const generates = KINDS[kind].now ? 'now' : isTextKind(kind) ? 'uuid' : null
  if (generates === null || rules.default !== generates) return property
  if (generates === 'uuid' && valueFault(property, SAMPLE) !== null) return property
  return { ...property, rules: { ...rules, generates } }
}

const SAMPLE = '0f8fad5b-d9cb-469f-a165-70867728950e'
