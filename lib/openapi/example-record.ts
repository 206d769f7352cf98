import type { Entity, Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
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

/**
 * A value of the field: its declared example, otherwise one that its type and rules allow. Undefined for
 * a pattern without an example.
 */
export function exampleValue(property: Property): Json | undefined {
  const { name, type, kind, label, rules, example } = property
  const preset = rules.generates ? undefined : rules.default
  const declared = example ?? rules.enum?.[0] ?? preset
  if (declared !== undefined || rules.pattern !== undefined) return declared
  const { format, minLength, maxLength = rules.length, min, max } = rules
  const limits = { format, minLength, maxLength, min, max }
  return KINDS[kind].sample({ name: label ?? name, type, ...limits })
}
