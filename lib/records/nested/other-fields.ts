import type { Entity } from '@/lib/definitions/definition'
import type { Validation } from '@/lib/errors'
import { pointerTo } from '@/lib/rows/record-faults'
import { canonicalText } from '@/lib/rows/record-key'
import { type Json, type JsonObject, literalOf } from '@/lib/values/json'

/** The fields by which a child refers to another record than the one to which it belongs, whose values are `owner`. */
export const otherFields = (child: Entity, record: JsonObject, owner: JsonObject): string[] =>
  Object.keys(owner).filter(
    (name) =>
      Object.hasOwn(record, name) &&
      textOf(child, name, record[name]) !== textOf(child, name, owner[name]),
  )

const OTHER = 'refers to the record that has this list: leave it out'

export const otherFaults = (
  child: Entity,
  record: JsonObject,
  owner: JsonObject,
  place = '',
): Validation[] =>
  otherFields(child, record, owner).map((name) => ({
    field: `${place}${pointerTo(name)}`,
    error: OTHER,
  }))

/** Equal values of a field have the same text; numbers may be marked. */
function textOf({ properties }: Entity, name: string, value: Json = null): string | null {
  const property = properties.find((one) => one.name === name)
  const exact = literalOf(value) ?? value
  return property && exact !== null ? canonicalText(property, exact) : null
}
