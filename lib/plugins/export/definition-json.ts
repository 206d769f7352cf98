import type { EntityDefinition, Property, SchemaDefinition } from '@/lib/definitions/definition'
import {
  POLICY_KEYS,
  type PolicyDefinition,
  ROLE_KEYS,
  type RoleDefinition,
} from '@/lib/definitions/policy'
import type { Json, JsonObject } from '@/lib/values/json'

/**
 * Definitions as an archive states them, with their keys in a fixed order. Each is the inverse of its
 * parser: an installed definition, written and read again, is the same.
 */

/** An entity of `EngineEntities`. */
export function entityJson(definition: EntityDefinition): JsonObject {
  const { name, description, engineSchema, table, keys, indexes, permissions, ...rest } = definition
  return plain({
    name,
    description,
    engineSchema: engineSchema ?? undefined,
    dbTable: table.name,
    dbSchema: table.schema,
    type: 'Table',
    pks: keys.map((key) => ordered(key, ['key', 'strategy', 'type'])),
    ...ordered(rest, ['insertDuplicate', 'updateStrategy', 'auditable', 'history']),
    permissions: ordered(permissions, ['read', 'write', 'update', 'delete']),
    indexes: indexes.map((index) => ordered(index, ['fields', 'unique'])),
  })
}

/** A schema of `EngineSchemas`, its properties as a list. */
export function schemaJson(definition: SchemaDefinition): JsonObject {
  const { properties, ...rest } = definition
  const head = ordered(rest, ['name', 'label', 'description', 'additionalProperties'])
  return plain({ ...head, properties: properties.map(propertyJson) })
}

/** Rules that are false unless they are stated. */
const FLAGS = ['required', 'unique', 'indexed', 'searchable']

const RULES = [
  'description',
  'example',
  'required',
  'unique',
  'indexed',
  'searchable',
  'default',
  'minLength',
  'maxLength',
  'min',
  'max',
  'pattern',
  'format',
  'contentMediaType',
  'enum',
  'reference',
]

function propertyJson(property: Property): JsonObject {
  const { name, type, kind: _, label, description, example, rules, ...rest } = property
  // `generates` is read from the default.
  const { generates: _made, ...written } = rules
  const stated = Object.entries(written).filter(
    ([rule, value]) => value !== false || !FLAGS.includes(rule),
  )
  const meta = ordered({ description, example, ...Object.fromEntries(stated) }, RULES)
  const isEmpty = Object.keys(meta).length === 0
  return plain({ name, type, label, ...rest, ...(isEmpty ? {} : { meta }) })
}

export const typeJson = (definition: object) => ordered(definition, ['name', 'baseType', 'meta'])
export const roleJson = (definition: RoleDefinition) => ordered(definition, ROLE_KEYS)
export const policyJson = (definition: PolicyDefinition) => ordered(definition, POLICY_KEYS)

const MANIFEST = ['id', 'name', 'version', 'description', 'author', 'license', 'image', 'variables']

/** engineplugin.json; other keys follow those that the engine uses. */
export const manifestJson = (manifest: JsonObject) => ordered(manifest, MANIFEST)

/** The same object with the keys `first` in this order, then the others as they are. */
function ordered(value: object, first: readonly string[]): JsonObject {
  const source = value as JsonObject
  const known = first.filter((key) => Object.hasOwn(source, key))
  const others = Object.keys(source).filter((key) => !first.includes(key))
  return plain(Object.fromEntries([...known, ...others].map((key) => [key, source[key]])))
}

/** Without the keys that have no value. */
const plain = (value: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
