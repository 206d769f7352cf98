import type { Entity } from '@/lib/definitions/definition'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { mergeEntity } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'

/** An entity as made from a plugin's definitions, without a database; free-form without a schema. */
export function plainEntity(definition: object, schema?: object): Entity {
  const entity = parseEntityDefinition({ name: 'Thing', ...definition } as Json)
  const parsed = schema && parseSchemaDefinition({ name: 'Thing', ...schema } as Json)
  if ('faults' in entity) throw new Error(JSON.stringify(entity.faults))
  if (parsed && 'faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const { name, table } = entity.definition
  const registered = { name, pluginId: 'test', definition: entity.definition, extraFields: [] }
  const stored = { tableSchema: table.schema, tableName: table.name }
  return mergeEntity({ ...registered, ...stored }, parsed ? parsed.definition : null)
}
