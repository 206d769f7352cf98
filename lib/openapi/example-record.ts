import {
  type Entity,
  isNumberKind,
  type Kind,
  type NumberKind,
  type Property,
} from '@/lib/definitions/definition'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json, JsonObject } from '@/lib/values/json'
import type { WithReferences } from './reference-samples'

const MAX_FIELDS = 12

/**
 * A record that is valid for the entity. Fields whose rules a generated value may break (a pattern, a
 * reference, uniqueness) are left out unless they are in `needs`; so are keys. Null when a field in
 * `needs` has no example.
 */
export function exampleRecord(
  entity: WithReferences,
  { needs }: { needs: readonly string[] },
): JsonObject | null {
  const shown = checkedProperties(entity).filter(
    (property) =>
      needs.includes(property.name) ||
      (isPlain(property, entity) && exampleValue(property) !== undefined),
  )
  const record: JsonObject = {}
  for (const [index, property] of shown.entries()) {
    const { name } = property
    if (index >= MAX_FIELDS && !needs.includes(name)) continue
    const value = entity.references?.[name] ?? exampleValue(property)
    if (value === undefined) return null
    record[name] = value
  }
  return record
}

const isPlain = ({ name, rules }: Property, { keys }: Entity) =>
  !keys.includes(name) && !rules.reference && !rules.unique

const UUID = '3f2b8c1e-5d4a-4b6f-9a7e-2c1d0e9f8a7b'

/**
 * A value of the field: its declared example, otherwise one that its type and rules allow. Undefined for
 * a pattern without an example.
 */
export function exampleValue(property: Property): Json | undefined {
  const { name, type, kind, label, rules, example } = property
  const preset = rules.generates ? undefined : rules.default
  const declared = example ?? rules.enum?.[0] ?? preset
  if (declared !== undefined || rules.pattern !== undefined) return declared
  if (kind === 'text') return text(label ?? name, rules.format ?? type, rules)
  if (isNumberKind(kind)) return number(kind, rules)
  return OTHERS[kind]
}

const OTHERS: Record<Exclude<Kind, 'text' | NumberKind>, Json> = {
  boolean: true,
  date: '2026-01-31',
  datetime: '2026-01-31T08:30:00.000Z',
  time: '08:30:00',
  json: { note: 'any JSON' },
  object: { note: 'any object' },
  array: ['one', 'two'],
}

const FORMATS: Record<string, string> = {
  email: 'jane@example.com',
  url: 'https://example.com/',
  uuid: UUID,
  phone: '+41 44 123 45 67',
}

function text(
  name: string,
  format: string,
  { minLength = 0, maxLength, length }: Property['rules'],
) {
  const known = FORMATS[format]
  if (known) return known
  const words = `Some ${name}`.padEnd(minLength, '.')
  return words.slice(0, maxLength ?? length)
}

function number(kind: Kind, { min = -Infinity, max = Infinity }: Property['rules']): number {
  const wanted = kind === 'integer' ? 42 : 12.5
  const value = Math.min(Math.max(wanted, min), max)
  return kind === 'integer' ? Math.ceil(value) : value
}
