import { createHash } from 'node:crypto'
import type { Entity, EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import { entityFaults, presentDisplay } from '@/lib/definitions/entity-faults'
import { linkedBy } from '@/lib/definitions/link'
import {
  POLICY_KEYS,
  type PolicyDefinition,
  ROLE_KEYS,
  type RoleDefinition,
} from '@/lib/definitions/policy'
import { type Types, typesByName } from '@/lib/definitions/resolve-type'
import { WEBHOOK_KEYS, type WebhookDefinition } from '@/lib/definitions/webhook'
import type { JsonObject } from '@/lib/values/json'
import { ESCAPE_VARIABLES, escapeVariables } from './escape-variables'
import { ordered, plain } from './ordered'
import type { ZipEntry } from './pack-plugin'
import type { Selection } from './selection'
import { writtenProperty } from './written-property'

/** engineplugin.json, and the components of definitions: a file for each, by name. */
export function definitionFiles(selection: Selection): ZipEntry[] {
  const { manifest, types, schemas, entities, roles, policies, webhooks, written } = selection
  const { fieldTypes = types } = selection
  return [
    { path: 'engineplugin.json', chunks: [jsonFile(manifestJson(manifest))] },
    ...component('EngineTypes', replaced(types.map(WRITTEN.type), written?.types)),
    ...component(
      'EngineSchemas',
      replaced(
        schemas.map((schema) => schemaJson(schema, typesByName(fieldTypes))),
        written?.schemas,
      ),
    ),
    ...component(
      'EngineEntities',
      replaced(
        entities.map(({ entity }) => entityJson(presentDefinition(entity))),
        written?.entities,
      ),
    ),
    ...component('EngineRoles', replaced(roles.map(WRITTEN.role), written?.roles)),
    ...component('EnginePolicies', replaced(policies.map(WRITTEN.policy), written?.policies)),
    ...component('EngineWebhooks', replaced(webhooks.map(WRITTEN.webhook), written?.webhooks)),
  ]
}

/** `written` in place of those of the same name. */
function replaced(own: readonly JsonObject[], written: readonly JsonObject[] = []): JsonObject[] {
  const names = new Set(written.map(({ name }) => name))
  return [...own.filter(({ name }) => !names.has(name)), ...written]
}

/** Without the indexes and parts of the display whose fields a later version of its schema has taken. */
export function presentDefinition(entity: Entity): EntityDefinition {
  const { definition } = entity
  const pointers = entityFaults(entity).map(({ pointer = '' }) => pointer)
  const isLost = (at: number) =>
    pointers.some((pointer) => `${pointer}/`.startsWith(`/indexes/${at}/`))
  const { display: _display, link, ...rest } = definition
  const display = presentDisplay(entity)
  return {
    ...rest,
    ...(link && linkedBy(entity) ? { link } : {}),
    indexes: definition.indexes.filter((_, at) => !isLost(at)),
    ...(display ? { display } : {}),
  }
}

function component(target: string, definitions: readonly JsonObject[]): ZipEntry[] {
  if (definitions.length === 0) return []
  const escaped = definitions.map(escapeVariables)
  const escapes = JSON.stringify(escaped) !== JSON.stringify(definitions)
  const manifest: JsonObject = escapes ? { target, variables: ESCAPE_VARIABLES } : { target }
  const files = escaped.map((definition) => ({
    path: `${target}/${fileNameOf(String(definition.name))}.json`,
    chunks: [jsonFile(definition)],
  }))
  return [
    { path: `${target}/__manifest__.json`, chunks: [jsonFile(manifest)] },
    ...files.sort((a, b) => (a.path < b.path ? -1 : 1)),
  ]
}

/** Indented, so that a change is a few lines. */
export const jsonFile = (json: JsonObject): Uint8Array =>
  Buffer.from(`${JSON.stringify(json, null, 2)}\n`)

/**
 * Definitions as an archive states them, with their keys in a fixed order. Each is the inverse of its
 * parser: an installed definition, written and read again, is the same.
 */

/** An entity of `EngineEntities`. */
export function entityJson(definition: EntityDefinition): JsonObject {
  const { name, description, engineSchema, table, keys, indexes, permissions, ...others } =
    definition
  const { display, ...rest } = others
  return plain({
    name,
    description,
    engineSchema: engineSchema ?? undefined,
    dbTable: table.name,
    dbSchema: table.schema,
    type: 'Table',
    pks: keys.map((key) => ordered(key, ['key', 'strategy', 'type'])),
    ...ordered(rest, [
      'insertDuplicate',
      'updateStrategy',
      'auditable',
      'history',
      'events',
      'link',
    ]),
    permissions: ordered(permissions, ['read', 'write', 'update', 'delete']),
    indexes: indexes.map((index) => ordered(index, ['fields', 'unique'])),
    display: display && ordered(display, ['title', 'columns', 'form']),
  })
}

/** A schema of `EngineSchemas`, its properties as a list: those that follow one of `types` by its name. */
export function schemaJson(definition: SchemaDefinition, types: Types = new Map()): JsonObject {
  const { properties, ...rest } = definition
  const head = ordered(rest, ['name', 'label', 'description', 'additionalProperties'])
  return plain({ ...head, properties: properties.map((one) => writtenProperty(one, types)) })
}

/** Of each kind, as a file has it. */
export const WRITTEN = {
  type: (definition: object) => ordered(definition, ['name', 'baseType', 'meta']),
  schema: (definition: SchemaDefinition) => schemaJson(definition),
  entity: entityJson,
  role: (definition: RoleDefinition) => ordered(definition, ROLE_KEYS),
  policy: (definition: PolicyDefinition) => ordered(definition, POLICY_KEYS),
  webhook: (definition: WebhookDefinition) => ordered(definition, WEBHOOK_KEYS),
}

const MANIFEST = ['id', 'name', 'version', 'description', 'author', 'license', 'image', 'variables']

/** engineplugin.json; other keys follow those that the engine uses. */
const manifestJson = (manifest: JsonObject) => ordered(manifest, MANIFEST)

/** Names that are safe as a part of a path everywhere, and that archives do not use otherwise. */
const SAFE = /^(?!__)[A-Za-z0-9_](?:[A-Za-z0-9_ .-]{0,78}[A-Za-z0-9_-])?$/

/** A part of a path for a definition; for other names than simple ones, with a digest. */
export function fileNameOf(name: string): string {
  if (SAFE.test(name)) return name
  const readable = name.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 60)
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${readable.replace(/^-+/, '')}-${digest}`.replace(/^-/, '')
}
