import { z } from 'zod'
import { entityInput } from '@/lib/definitions/entity-input'
import { typeInput } from '@/lib/definitions/parse-type-definition'
import { rulesInput, schemaInput } from '@/lib/definitions/schema-input'
import { pluginIndexFile } from '@/lib/plugin-index/contract'
import type { JsonObject } from '@/lib/values/json'
import { componentInput, pluginInput } from './manifests'

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
  'plugin-index': { input: pluginIndexFile, title: 'Index of plugins', isList: false },
}

/** The kinds of files that authors and publishers of plugins write. */
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

type Part = { [key: string]: unknown }

/**
 * The JSON Schema (draft 7, which all editors know) of what a file may hold. Unknown keys are
 * allowed, as the engine ignores or keeps them; `isList`: the file may also hold a list of such objects.
 */
function toFileSchema(
  input: z.ZodType,
  { title, keys, isList }: { title: string; keys: Record<string, string>; isList: boolean },
): JsonObject {
  const made = z.toJSONSchema(input, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as Part),
  })
  const { $schema, definitions = {}, ...one } = JSON.parse(JSON.stringify(made)) as Part
  const object = { ...one, properties: described(one.properties as Record<string, Part>, keys) }
  if (!isList) return { $schema, title, definitions, ...object } as JsonObject
  return {
    ...{ $schema, title },
    definitions: { ...(definitions as Part), one: object },
    anyOf: [
      { $ref: '#/definitions/one' },
      { type: 'array', items: { $ref: '#/definitions/one' }, minItems: 1 },
    ],
  } as JsonObject
}

const described = (properties: Record<string, Part>, keys: Record<string, string>) => ({
  $schema: { type: 'string', description: 'The address of this schema; ignored by the engine' },
  ...Object.fromEntries(
    Object.entries(properties).map(([key, part]) => [key, { description: keys[key], ...part }]),
  ),
})

/** What zod's own conversion can't say: words in any case, and names that editors may suggest. */
function simplify(part: Part): void {
  const { anyCase, suggested, ...rest } = part
  if (anyCase || suggested) for (const key of Object.keys(part)) delete part[key]
  if (anyCase)
    part.anyOf = [rest, { type: 'string', pattern: anyCasePattern(rest.enum as string[]) }]
  if (suggested) part.anyOf = [{ enum: suggested }, rest]
  if (part.additionalProperties === false) delete part.additionalProperties
}

/** JSON Schema has no flag for it: `^(?:[Ee][Rr][Rr]…|…)$`. */
const anyCasePattern = (words: readonly string[]): string => {
  const letters = (word: string) =>
    [...word].map((letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
  return `^(?:${words.map(letters).join('|')})$`
}

type KeysOf<T extends { shape: object }> = Record<keyof T['shape'], string>

const plugin: KeysOf<typeof pluginInput> = {
  id: 'Identifies the plugin in reverse-domain style, such as com.example.shop; never change it',
  name: 'What people call the plugin; its id when left out',
  version: 'Of this archive; a lower one than installed is reported as a downgrade',
  description: 'What the plugin is for',
  author: 'Who made it',
  license: 'Such as MIT',
  changes: 'What is new in this version, as plain text; the plan of its install shows it',
  engine: 'Versions of the engine that it works with, such as >=1.2 <2; others warn in the plan',
  image: 'A data URI of an image, at most 512 KiB',
  onConflict:
    'What decides about records that were changed here and by the plugin; keep when left out',
  variables: 'Values that ${config.name} stands for in the texts of all files',
}

const component: KeysOf<typeof componentInput> = {
  target: 'The entity of the records below this folder, or EngineEntities, EngineSchemas, …',
  dependencies: 'Targets that are installed before this one',
  insertDuplicate: 'What happens to a record whose key exists; overrides the entity',
  onConflict: 'The same for the files below; overrides the plugin',
  variables: 'Values that ${manifest.name} stands for in the texts of the files below',
}

const entity: KeysOf<typeof entityInput> = {
  name: 'Of the entity, in addresses and searches',
  renamedFrom: 'Its former name, or a list of them: the table keeps its records',
  description: 'What its records are',
  engineSchema: 'The schema of its fields; the one of the same name when left out',
  dbTable: 'The table; the name in snake case when left out',
  dbSchema: 'The database schema of the table; the managed one when left out',
  type: 'Always Table',
  pks: 'The keys; a counter named "id" when left out',
  insertDuplicate: 'What happens to a record whose key exists; Error when left out',
  updateStrategy: 'Whether an update keeps the fields that it leaves out; Upsert does',
  permissions: 'What anybody may do with the records; everything when left out',
  auditable: 'Adds CreatedAt, CreatedBy, LastUpdatedAt and LastUpdatedBy',
  history: 'Keeps every version of the records, which can be compared and restored',
  link: 'Its records link those of two others: it has exactly two references, whose inverse names the lists on both sides',
  events: 'Lets clients follow the changes of its records, as a feed',
  indexes: 'Indexes over several fields, and rules that they are unique together',
  unique: 'Fields that are unique together, with a name for messages',
  display: 'How lists open: the field that names a record, the columns, the form',
  distribution: 'Where a Citus cluster keeps the records: by a key, as a reference table, or local',
}

const schema: KeysOf<typeof schemaInput> = {
  name: 'Of the schema; entities of the same name use it',
  label: 'What people call a record',
  description: 'What the fields describe',
  additionalProperties: 'Whether records may have other fields; true when left out',
  properties: 'The fields: a list, or a JSON Schema of an object',
  unique: 'Fields that are unique together, with a name for messages',
}

const type: KeysOf<typeof typeInput> = {
  name: 'By which properties use the type',
  baseType: 'The type that it narrows',
  meta: 'The rules that it adds',
}

const pluginIndex: KeysOf<typeof pluginIndexFile> = {
  engineIndex: 'The version of this form: 1',
  name: 'Whose plugins these are',
  plugins: 'The plugins, each with its versions',
}

/** What the keys of each file mean, for editors. */
const DESCRIPTIONS = { plugin, component, entity, schema, type, 'plugin-index': pluginIndex }
