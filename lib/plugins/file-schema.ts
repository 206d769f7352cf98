import { entityInput } from '@/lib/definitions/entity-input'
import { typeInput } from '@/lib/definitions/parse-type-definition'
import { rulesInput, schemaInput } from '@/lib/definitions/schema-input'
import type { JsonObject } from '@/lib/values/json'
import { componentInput } from './archive/component-manifest'
import { pluginInput } from './archive/plugin-manifest'
import { DESCRIPTIONS } from './file-schemas/describe-keys'
import { toFileSchema } from './file-schemas/to-file-schema'

const FILES = {
  plugin: { input: pluginInput, title: 'engineplugin.json', isList: false },
  component: { input: componentInput, title: '__manifest__.json', isList: false },
  entity: { input: entityInput, title: 'Entity definition', isList: true },
  schema: { input: schemaInput, title: 'Schema definition', isList: true },
  type: {
    input: typeInput.extend({ meta: rulesInput.nullish() }),
    title: 'Type definition',
    isList: true,
  },
}

/** The kinds of files that authors of plugins write. */
export type FileSchemaName = keyof typeof FILES
export const FILE_SCHEMA_NAMES = Object.keys(FILES) as FileSchemaName[]

const made = new Map<FileSchemaName, JsonObject>()

/** The JSON Schema of a kind of file, made from the schema by which the engine parses it. */
export function fileSchema(name: FileSchemaName): JsonObject {
  const known = made.get(name)
  if (known) return known
  const { input, ...rest } = FILES[name]
  const schema = toFileSchema(input, { ...rest, keys: DESCRIPTIONS[name] })
  made.set(name, schema)
  return schema
}
