import { allowedValues } from '@/lib/definitions/allowed-values'
import { AUDIT_FIELDS, type Entity, type Property } from '@/lib/definitions/definition'
import { storedPattern } from '@/lib/definitions/text-pattern'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { maxTextBytes, tableIndexes } from '@/lib/tables/table-indexes'
import type { JsonObject } from '@/lib/values/json'

export type RuleSet = 'whole' | 'partial'

/**
 * The JSON Schema of an entity's records, for Ajv with the keywords of `record-ajv.ts`. `partial`
 * makes fields optional, though required ones can't be null. Does not cover undeclared fields.
 */
export function recordSchema(entity: Entity, ruleSet: RuleSet): JsonObject {
  const properties = checkedProperties(entity)
  const limits = byteLimits(entity)
  const schemas = properties.map((property) => [
    property.name,
    propertySchema(property, entity, limits.get(property.name)),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: properties.filter((property) => mustBePresent(property, entity, ruleSet)).map(nameOf),
  }
}

const AUDIT = new Set<string>(AUDIT_FIELDS)

/** Fields that clients can set; the server sets the audit fields of an auditable entity. */
export const checkedProperties = ({ properties, definition }: Entity): Property[] =>
  properties.filter(
    ({ name, rules }) => !(definition.auditable && AUDIT.has(name)) && rules.computed === undefined,
  )

const nameOf = ({ name }: Property) => name

function mustBePresent(property: Property, entity: Entity, ruleSet: RuleSet): boolean {
  if (isKey(property, entity)) return ruleSet === 'whole' && !isGenerated(property, entity)
  return ruleSet === 'whole' && property.rules.required && property.rules.default === undefined
}

const isKey = ({ name }: Property, { keys }: Entity) => keys.includes(name)

const isGenerated = ({ name }: Property, { definition }: Entity) =>
  definition.keys.some(({ key, strategy }) => key === name && strategy !== 'Fixed')

function propertySchema(property: Property, entity: Entity, maxBytes?: number): JsonObject {
  const { rules, kind, type } = property
  const { sentAs, keywords, isParsed } = KINDS[kind]
  const key = isKey(property, entity)
  const nullable = key ? isGenerated(property, entity) : !rules.required
  const types = sentAs(type)
  const allowed = allowedValues(property)
  return {
    type: nullable ? [...types, 'null'] : types,
    ...(allowed ? { enum: nullable ? [...allowed, null] : allowed } : {}),
    ...(isTextKind(kind) ? textRules(property, entity, maxBytes) : {}),
    ...keywords({ type, min: rules.min, max: rules.max }),
    ...(isParsed ? { stored: kind } : {}),
  }
}

/** Text may spell the number, so that no digit is lost in a double. */
export const acceptsText = ({ kind, type }: Property): boolean => KINDS[kind].isSpelt(type)

/** The largest size in bytes of each text in an index or the primary key. */
function byteLimits(entity: Entity): Map<string, number> {
  const limits = new Map<string, number>()
  for (const { parts, maxBytes } of tableIndexes(entity))
    for (const { column } of maxBytes === null ? [] : parts)
      limits.set(column, Math.min(limits.get(column) ?? Infinity, maxBytes ?? Infinity))
  for (const key of entity.keys) limits.set(key, maxTextBytes(entity, key) ?? Infinity)
  return limits
}

/** The patterns of one record share the time of four, however many there are. */
const MATCHES_AT_FULL_LENGTH = 4

function patternRule(pattern: string, { properties }: Entity): JsonObject {
  const patterns = properties.filter(({ rules }) => rules.pattern !== undefined).length
  const share = Math.min(1, MATCHES_AT_FULL_LENGTH / patterns)
  return { pattern, maxChars: Math.floor(storedPattern(pattern).maxChars * share) }
}

function textRules(property: Property, entity: Entity, maxBytes?: number): JsonObject {
  const { rules } = property
  const shortest = rules.minLength ?? (isKey(property, entity) ? 1 : undefined)
  return {
    ...(shortest === undefined ? {} : { minLength: shortest }),
    ...(rules.maxLength === undefined ? {} : { maxLength: rules.maxLength }),
    ...(rules.pattern === undefined ? {} : { textPattern: patternRule(rules.pattern, entity) }),
    ...(rules.format === undefined
      ? {}
      : { [rules.required ? 'textFormat' : 'optionalFormat']: rules.format }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  }
}
