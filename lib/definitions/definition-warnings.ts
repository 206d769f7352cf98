import { isJsonKind } from '@/lib/kinds/kind'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import type { FileDetail } from './definition-faults'
import { choiceInput, entityDisplayInput, numberFormatInput } from './display-input'
import { entityInput } from './entity-input'
import { jsonSchemaOf } from './parse-schema-definition'
import { BUILT_IN_TYPES, typeKey } from './property-types'
import { JSON_SCHEMA_KEYS, subschemas } from './read/json-schema-keys'
import { RULE_NAMES } from './read/raw-property'
import { outerSpaces, unknownKeys } from './unknown-keys'

const ENTITY_KEYS = Object.keys(entityInput.shape)
const PERMISSION_KEYS = ['read', 'write', 'update', 'delete']
const DISPLAY_KEYS = Object.keys(entityDisplayInput.shape)
const INDEX_KEYS = ['fields', 'unique', 'name']
const KEY_KEYS = ['key', 'strategy', 'type', 'renamedFrom']
const SCHEMA_KEYS = [
  'name',
  'label',
  'description',
  'additionalProperties',
  'properties',
  'type',
  'unique',
]
const CHOICE_KEYS = Object.keys(choiceInput.shape)
const NUMBER_FORMAT_KEYS = Object.keys(numberFormatInput.shape)
const RULES = [...RULE_NAMES, 'minimum', 'maximum']
const PROPERTY_KEYS = ['name', 'type', 'label', 'meta', ...RULES]

/** Parts of an entity definition that have no effect. */
export const entityWarnings = (json: Json): FileDetail[] =>
  isObject(json)
    ? [
        ...outerSpaces(json, ['engineSchema', 'dbTable', 'dbSchema']),
        ...unknownKeys(json, '', ENTITY_KEYS),
        ...unknownKeys(json.permissions, '/permissions', PERMISSION_KEYS),
        ...unknownKeys(json.display, '/display', DISPLAY_KEYS),
        ...unknownKeys(json.distribution, '/distribution', ['by', 'with']),
        ...each(json.pks, '/pks', (key, at) => unknownKeys(key, at, KEY_KEYS)),
        ...each(json.indexes, '/indexes', (one, at) => unknownKeys(one, at, INDEX_KEYS)),
        ...each(json.unique, '/unique', (one, at) => unknownKeys(one, at, ['fields', 'name'])),
      ]
    : []

/** Parts of a property type that have no effect. */
export const typeWarnings = (json: Json): FileDetail[] =>
  isObject(json)
    ? [
        ...unknownKeys(json, '', ['name', 'baseType', 'meta', 'label', 'description']),
        ...ruleWarnings(json.meta, '/meta', RULE_NAMES),
      ]
    : []

/** Parts of a schema definition, in either form, that have no effect. */
export function schemaWarnings(json: Json): FileDetail[] {
  if (!isObject(json)) return []
  const nested = jsonSchemaOf(json)
  if (!nested)
    return [
      ...unknownKeys(json, '', SCHEMA_KEYS),
      ...each(json.properties, '/properties', (one, at) => propertyWarnings(one, at, [])),
    ]
  const { schema, pointer } = nested
  const own = pointer === '' ? [...SCHEMA_KEYS, ...JSON_SCHEMA_KEYS] : SCHEMA_KEYS
  return [
    ...unknownKeys(json, '', own),
    ...(pointer === '' ? [] : unknownKeys(schema, pointer, [...SCHEMA_KEYS, ...JSON_SCHEMA_KEYS])),
    ...subschemas(schema, pointer).flatMap(([one, at]) => jsonSchemaWarnings(one, at)),
  ]
}

/** For a property in the form of JSON Schema, and the schemas inside it. */
const jsonSchemaWarnings = (json: Json, pointer: string): FileDetail[] => [
  ...propertyWarnings(json, pointer, JSON_SCHEMA_KEYS),
  ...subschemas(json, pointer).flatMap(([one, at]) => jsonSchemaWarnings(one, at)),
]

function propertyWarnings(json: Json, pointer: string, others: readonly string[]): FileDetail[] {
  if (!isObject(json)) return []
  return [
    ...ruleWarnings(json, pointer, [...PROPERTY_KEYS, ...others]),
    ...ruleWarnings(json.meta, `${pointer}/meta`, RULES),
    ...(holdsJson(json.type) ? [] : choiceWarnings(json, pointer)),
  ]
}

/** Or may: objects in an `enum` are values then. */
function holdsJson(type: Json | undefined): boolean {
  const known = typeof type === 'string' ? BUILT_IN_TYPES.get(typeKey(type)) : undefined
  return known === undefined || isJsonKind(known.kind)
}

const choiceWarnings = (json: JsonObject, pointer: string): FileDetail[] => [
  ...each(json.enum, `${pointer}/enum`, (one, at) => unknownKeys(one, at, CHOICE_KEYS)),
  ...(isObject(json.meta)
    ? choiceWarnings({ enum: json.meta.enum ?? null }, `${pointer}/meta`)
    : []),
]

const ruleWarnings = (json: Json | undefined, pointer: string, known: readonly string[]) => [
  ...unknownKeys(json, pointer, known),
  ...unknownKeys(isObject(json) ? json.reference : undefined, `${pointer}/reference`, [
    'entity',
    'field',
    'with',
    'onDelete',
    'inverse',
  ]),
  ...(isObject(json) ? displayWarnings(json, pointer) : []),
]

const displayWarnings = (json: JsonObject, pointer: string): FileDetail[] => [
  ...unknownKeys(json.hidden, `${pointer}/hidden`, ['list']),
  ...unknownKeys(json.numberFormat, `${pointer}/numberFormat`, NUMBER_FORMAT_KEYS),
]

const each = (
  list: Json | undefined,
  pointer: string,
  warn: (item: JsonObject, at: string) => FileDetail[],
): FileDetail[] =>
  Array.isArray(list)
    ? list.flatMap((item, index) => (isObject(item) ? warn(item, `${pointer}/${index}`) : []))
    : []
