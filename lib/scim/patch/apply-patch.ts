import type { ResourceSchema } from '@/lib/scim/attributes'
import type { PatchBody } from '@/lib/scim/contract'
import { readOne, readValue } from '@/lib/scim/values/read-values'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { changeValues } from './change-values'
import { type Operation, readOperation } from './read-operation'

/** The attributes of a resource after a PATCH (RFC 7644, 3.5.2). Throws as `readOperation` and `readValue` do. */
export function applyPatch(
  resource: JsonObject,
  { Operations }: PatchBody,
  schema: ResourceSchema,
): JsonObject {
  const changed = structuredClone(resource)
  for (const sent of Operations)
    for (const operation of readOperation(sent, schema)) change(changed, operation)
  return changed
}

function change(resource: JsonObject, operation: Operation): void {
  const { urn, attribute } = operation.place
  const holder = urn === null ? resource : holderOf(resource, urn)
  const value = changed(holder[attribute.name], operation)
  if (value === undefined || isEmpty(value)) delete holder[attribute.name]
  else holder[attribute.name] = value
  if (urn !== null && isEmpty(holder)) delete resource[urn]
}

function holderOf(resource: JsonObject, urn: string): JsonObject {
  const holder = resource[urn]
  if (isObject(holder)) return holder
  const made: JsonObject = {}
  resource[urn] = made
  return made
}

const isEmpty = (value: Json) =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0

function changed(before: Json | undefined, operation: Operation): Json | undefined {
  const { op, place, value } = operation
  const { attribute, sub } = place
  if (attribute.multiValued) return changeValues((before ?? []) as JsonObject[], operation)
  const parts = isObject(before) ? before : {}
  if (sub) {
    const read = op === 'remove' ? undefined : readValue(sub, value ?? null)
    const { [sub.name]: _, ...rest } = parts
    return read === undefined ? rest : { ...rest, [sub.name]: read }
  }
  if (op === 'remove') return undefined
  const read = readOne(attribute, value ?? null)
  return isObject(read) ? { ...parts, ...read } : read
}
