import type { Entity, EntityDefinition } from '@/lib/definitions/definition'
import { entityFaults } from '@/lib/definitions/entity-faults'
import type { JsonObject } from '@/lib/values/json'
import {
  entityJson,
  manifestJson,
  policyJson,
  roleJson,
  schemaJson,
  typeJson,
} from './definition-json'
import { ESCAPE_VARIABLES, escapeVariables } from './escape-variables'
import { fileNameOf } from './file-name'
import type { Selection } from './selection'
import type { ZipEntry } from './zip-stream'

/** engineplugin.json, and the components of definitions: a file for each, by name. */
export function definitionFiles(selection: Selection): ZipEntry[] {
  const { manifest, types, schemas, entities, roles, policies } = selection
  return [
    { path: 'engineplugin.json', chunks: [jsonFile(manifestJson(manifest))] },
    ...component('EngineTypes', types.map(typeJson)),
    ...component('EngineSchemas', schemas.map(schemaJson)),
    ...component(
      'EngineEntities',
      entities.map(({ entity }) => entityJson(presentDefinition(entity))),
    ),
    ...component('EngineRoles', roles.map(roleJson)),
    ...component('EnginePolicies', policies.map(policyJson)),
  ]
}

/** Without the indexes that a later version of its schema has taken the fields of. */
function presentDefinition(entity: Entity): EntityDefinition {
  const { definition } = entity
  const pointers = entityFaults(entity).map(({ pointer = '' }) => pointer)
  const isLost = (at: number) =>
    pointers.some((pointer) => `${pointer}/`.startsWith(`/indexes/${at}/`))
  return { ...definition, indexes: definition.indexes.filter((_, at) => !isLost(at)) }
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
