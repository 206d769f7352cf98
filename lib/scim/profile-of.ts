import { isObject, type JsonObject } from '@/lib/values/json'
import { ENTERPRISE } from './attributes'

/** The entries of a profile that follow from the attributes: those that have a value. */
export function profileOf(attributes: JsonObject): JsonObject {
  const name = partsOf(attributes.name)
  const enterprise = partsOf(attributes[ENTERPRISE])
  const both = [name.givenName, name.familyName].filter(Boolean).join(' ')
  const values = {
    name: attributes.displayName ?? name.formatted ?? (both || undefined),
    givenName: name.givenName,
    familyName: name.familyName,
    title: attributes.title,
    locale: attributes.locale ?? attributes.preferredLanguage,
    timezone: attributes.timezone,
    department: enterprise.department,
    organization: enterprise.organization,
    division: enterprise.division,
    costCenter: enterprise.costCenter,
    employeeNumber: enterprise.employeeNumber,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

const partsOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
