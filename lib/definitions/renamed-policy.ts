import { isObject, type Json } from '@/lib/values/json'
import type { PolicyDefinition } from './policy'

type NameOf = (field: string) => string

/** A policy with the present names of its entities' fields. */
export function renamedPolicy(policy: PolicyDefinition, nameOf: NameOf): PolicyDefinition {
  const { where, check, fields, set } = policy
  return {
    ...policy,
    ...(where ? { where: renamedConditions(where, nameOf) as Json[] } : {}),
    ...(check ? { check: renamedConditions(check, nameOf) as Json[] } : {}),
    ...(fields ? { fields: renamedFields(fields, nameOf) } : {}),
    ...(set ? { set: renamedKeys(set, nameOf) } : {}),
  }
}

const renamedFields = (fields: NonNullable<PolicyDefinition['fields']>, nameOf: NameOf) =>
  Array.isArray(fields) ? fields.map(nameOf) : { except: fields.except.map(nameOf) }

const renamedKeys = (set: Record<string, Json>, nameOf: NameOf) =>
  Object.fromEntries(Object.entries(set).map(([field, value]) => [nameOf(field), value]))

/** `name`, `name.part` or `name:asc`: its first part is the field. */
export function renamedPath(path: string, nameOf: NameOf): string {
  const [first = ''] = path.split(/[.:]/)
  return nameOf(first) + path.slice(first.length)
}

/** Conditions of the search grammar, nested ones too. */
export function renamedConditions(json: Json, nameOf: NameOf): Json {
  if (Array.isArray(json)) return json.map((one) => renamedConditions(one, nameOf))
  if (!isObject(json)) return json
  const { field, filters } = json
  return {
    ...json,
    ...(typeof field === 'string' ? { field: renamedPath(field, nameOf) } : {}),
    ...(filters === undefined ? {} : { filters: renamedConditions(filters, nameOf) }),
  }
}
