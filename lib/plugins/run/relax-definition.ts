import { isDeepStrictEqual } from 'node:util'
import type {
  EntityDefinition,
  Property,
  Rules,
  SchemaDefinition,
  UniqueRule,
} from '@/lib/definitions/definition'
import { isWiderType } from '@/lib/tables/wider-type'
import type { Json } from '@/lib/values/json'

/**
 * The new schema without what stored records may contradict: it accepts both what the installed one
 * accepts and the archive's records, until those have replaced the others.
 */
export function relaxSchema(
  installed: SchemaDefinition | undefined,
  next: SchemaDefinition,
): SchemaDefinition {
  const had = installed?.properties ?? []
  const formerOf = ({ name, renamedFrom = [] }: Property) =>
    had.find((one) => one.name === name) ?? had.find((one) => renamedFrom.includes(one.name))
  const { unique, ...rest } = next
  const kept = (unique ?? []).filter((rule) => isIn(installed?.unique ?? [], rule))
  return {
    ...rest,
    ...(kept.length > 0 ? { unique: kept } : {}),
    additionalProperties: next.additionalProperties || (installed?.additionalProperties ?? true),
    properties: next.properties.map((property) => relaxProperty(formerOf(property), property)),
  }
}

const isIn = (rules: readonly UniqueRule[], { fields }: UniqueRule) =>
  rules.some((rule) => rule.fields.join() === fields.join())

function relaxProperty(former: Property | undefined, next: Property): Property {
  const { kind, type } = former ? commonType(former, next) : next
  const isSame = kind === next.kind
  const rules = isSame && former ? commonRules(former.rules, next.rules) : looseRules(next.rules)
  return { ...next, kind, type, rules }
}

/** The wider of the two types; JSON where each has values that the other lacks. */
function commonType(former: Property, next: Property): Pick<Property, 'kind' | 'type'> {
  if (former.type === next.type || isWiderType(former, next)) return next
  if (isWiderType(next, former) && former.kind === next.kind) return former
  return { kind: 'json', type: 'json' }
}

function commonRules(former: Rules, next: Rules): Rules {
  const { min, max, minLength, maxLength, pattern, format, enum: values, reference, ...rest } = next
  return {
    ...rest,
    ...both('min', former.min, min, Math.min),
    ...both('max', former.max, max, Math.max),
    ...both('minLength', former.minLength, minLength, Math.min),
    ...both('maxLength', former.maxLength, maxLength, Math.max),
    ...both('enum', former.enum, values, union),
    ...(former.pattern === pattern && pattern !== undefined ? { pattern } : {}),
    ...(former.format === format && format !== undefined ? { format } : {}),
    ...(reference && sameReference(former, next) ? { reference } : {}),
    required: former.required && next.required,
    unique: former.unique && next.unique,
  }
}

/** Of a property that is new, or JSON for the time being. */
function looseRules({ default: preset, generates }: Rules): Rules {
  return {
    required: false,
    unique: false,
    indexed: false,
    searchable: false,
    ...(preset === undefined ? {} : { default: preset }),
    ...(generates === undefined ? {} : { generates }),
  }
}

const sameReference = (former: Rules, next: Rules) =>
  isDeepStrictEqual(former.reference, next.reference)

/** A limit that either side lacks does not hold. */
const both = <T>(
  name: string,
  former: T | undefined,
  next: T | undefined,
  join: (a: T, b: T) => T,
) => (former === undefined || next === undefined ? {} : { [name]: join(former, next) })

function union(former: Json[], next: Json[]): Json[] {
  const known = new Set(former.map((value) => JSON.stringify(value)))
  return [...former, ...next.filter((value) => !known.has(JSON.stringify(value)))]
}

/** The new entity with the unique indexes that the installed one has. */
export function relaxEntity(
  installed: EntityDefinition | undefined,
  next: EntityDefinition,
): EntityDefinition {
  const had = new Set(installed?.indexes.map((index) => JSON.stringify(index)))
  const indexes = next.indexes.filter((index) => !index.unique || had.has(JSON.stringify(index)))
  return { ...next, indexes }
}
