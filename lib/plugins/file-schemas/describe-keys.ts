import type { entityInput } from '@/lib/definitions/entity-input'
import type { typeInput } from '@/lib/definitions/parse-type-definition'
import type { schemaInput } from '@/lib/definitions/schema-input'
import type { componentInput } from '@/lib/plugins/archive/component-manifest'
import type { pluginInput } from '@/lib/plugins/archive/plugin-manifest'

type KeysOf<T extends { shape: object }> = Record<keyof T['shape'], string>

const plugin: KeysOf<typeof pluginInput> = {
  id: 'Identifies the plugin in reverse-domain style, such as com.example.shop; never change it',
  name: 'What people call the plugin; its id when left out',
  version: 'Of this archive; a lower one than installed is reported as a downgrade',
  description: 'What the plugin is for',
  author: 'Who made it',
  license: 'Such as MIT',
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
  indexes: 'Indexes over several fields, and rules that they are unique together',
  unique: 'Fields that are unique together, with a name for messages',
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

/** What the keys of each file mean, for editors. */
export const DESCRIPTIONS = { plugin, component, entity, schema, type }
