import type { Entity, Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json, JsonObject } from '@/lib/values/json'

/** A text that two stored values of a property share exactly when the database considers them equal. */
export function canonicalText({ kind }: Property, value: Json): string {
  const { equalText } = KINDS[kind]
  if (equalText && (typeof value === 'number' || typeof value === 'string')) return equalText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns a function that makes one text of the values of `names`; null when one of them is null. */
export function tupleReader(
  entity: Entity,
  names: readonly string[],
): (values: JsonObject) => string | null {
  const properties = names.map((name) => {
    const property = entity.properties.find((one) => one.name === name)
    if (!property) throw new Error(`"${name}" is no field of ${entity.name}`)
    return property
  })
  const textOf = (property: Property, values: JsonObject): string | null => {
    const value = values[property.name] ?? null
    return value === null ? null : canonicalText(property, value)
  }
  const [only] = properties
  if (only && properties.length === 1) return (values) => textOf(only, values)
  return (values) => {
    const texts = properties.map((property) => textOf(property, values))
    return texts.includes(null) ? null : JSON.stringify(texts)
  }
}

/** A record's key as shown to people: its value, or an object when it has several parts. */
export function keyOf({ keys }: Entity, values: JsonObject): Json {
  const [only] = keys
  if (only !== undefined && keys.length === 1) return values[only] ?? null
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? null]))
}
