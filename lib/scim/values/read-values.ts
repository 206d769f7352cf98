import { type Attribute, findAttribute } from '@/lib/scim/attributes'
import { scimError } from '@/lib/scim/scim-error'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

const MAX_TEXT = 1_000
const MAX_VALUES = 100

/**
 * What a client sent for `attributes`, in the names and types of the schema. Unknown and read-only attributes are left
 * out, as are those without a value. Throws `invalidValue`.
 */
export function readAttributes(attributes: readonly Attribute[], sent: JsonObject): JsonObject {
  const read: JsonObject = {}
  for (const [key, value] of Object.entries(sent)) {
    const attribute = findAttribute(attributes, key)
    if (!attribute || attribute.mutability === 'readOnly') continue
    const found = readValue(attribute, value)
    if (found !== undefined) read[attribute.name] = found
  }
  return read
}

/** The value of one attribute; undefined for null and for nothing. */
export function readValue(attribute: Attribute, value: Json): Json | undefined {
  if (value === null) return undefined
  if (!attribute.multiValued) return readOne(attribute, value)
  // Some clients send a single value as it is.
  const sent = Array.isArray(value) ? value : [value]
  requireFewValues(attribute, sent)
  const values = sent.flatMap((item) => readOne(attribute, item) ?? [])
  if (values.filter(isPrimary).length > 1) throw invalid(attribute, 'has two primary values')
  return values.length > 0 ? values : undefined
}

/** Throws `invalidValue` for more values than an attribute may have. */
export function requireFewValues(attribute: Attribute, values: readonly Json[]): void {
  if (values.length > MAX_VALUES)
    throw invalid(attribute, `has more than ${MAX_VALUES} values; send fewer`)
}

export const isPrimary = (value: Json): boolean => isObject(value) && value.primary === true

/** One value of an attribute, of those it may have many of. */
export function readOne(attribute: Attribute, value: Json): Json | undefined {
  if (value === null) return undefined
  if (attribute.type === 'string') return readText(attribute, value)
  if (attribute.type === 'boolean') return readBoolean(attribute, value)
  const parts = attribute.subAttributes ?? []
  // A manager is sent as an id alone, too.
  const isAlone = typeof value === 'string' && findAttribute(parts, 'value') !== undefined
  const sent = isAlone ? { value } : Array.isArray(value) && value.length === 1 ? value[0] : value
  if (!isObject(sent)) throw invalid(attribute, 'must be an object')
  const read = readAttributes(parts, sent as JsonObject)
  return Object.keys(read).length > 0 ? read : undefined
}

function readText(attribute: Attribute, value: Json): string | undefined {
  if (typeof value !== 'string') throw invalid(attribute, 'must be a text')
  if (value.length > MAX_TEXT) throw invalid(attribute, `is longer than ${MAX_TEXT} characters`)
  if (/[\0\p{Surrogate}]/u.test(value))
    throw invalid(attribute, 'holds a character that cannot be stored')
  return value === '' ? undefined : value
}

/** Entra sends the words `True` and `False`. */
function readBoolean(attribute: Attribute, value: Json): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalid(attribute, 'must be true or false')
  return word === 'true'
}

const invalid = ({ name }: Attribute, why: string) => scimError('invalidValue', `${name} ${why}`)
