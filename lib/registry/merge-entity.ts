import type { EntityRow } from '@/lib/db/schema'
import {
  AUDIT_FIELDS,
  type Entity,
  type KeyDefinition,
  type Property,
  type Rules,
  type SchemaDefinition,
} from '@/lib/definitions/definition'

export type RegisteredEntity = Pick<
  EntityRow,
  'name' | 'pluginId' | 'definition' | 'tableSchema' | 'tableName' | 'extraFields'
> &
  Partial<Pick<EntityRow, 'addedIndexes'>> & { isDistributed?: boolean }

/** Merges a registry row with its schema; without a schema the entity is free-form. */
export function mergeEntity(row: RegisteredEntity, schema: SchemaDefinition | null): Entity {
  const { definition } = row
  const declared = schema?.properties ?? []
  const keys = definition.keys.map((key) => keyProperty(key, declared, definition.keys.length))
  const audit = definition.auditable ? AUDIT_PROPERTIES : []
  const taken = new Set([...keys, ...audit].map(({ name }) => name))
  return {
    name: row.name,
    pluginId: row.pluginId,
    definition,
    schema,
    table: { schema: row.tableSchema, name: row.tableName },
    properties: [...keys, ...declared.filter(({ name }) => !taken.has(name)), ...audit],
    keys: definition.keys.map(({ key }) => key),
    open: schema?.additionalProperties ?? true,
    extraFields: row.extraFields,
    addedIndexes: row.addedIndexes ?? [],
    ...(row.isDistributed ? { isDistributed: true } : {}),
  }
}

/** Name of the schema that the entity uses if it exists. */
export const schemaNameOf = ({
  engineSchema,
  name,
}: {
  engineSchema: string | null
  name: string
}) => engineSchema ?? name

const NO_RULES: Rules = { required: false, unique: false, indexed: false, searchable: false }

/** The schema's declaration of a key applies, except that a generated value is never required. */
function keyProperty(
  { key, strategy, type, renamedFrom = [] }: KeyDefinition,
  declared: readonly Property[],
  keyCount: number,
): Property {
  const property = declared.find(({ name }) => name === key) ?? {
    name: key,
    ...UNDECLARED_KEYS[strategy === 'AutoIncrement' && type === 'number' ? 'counter' : type],
    rules: NO_RULES,
  }
  const rules = { ...property.rules, required: strategy === 'Fixed', unique: keyCount === 1 }
  const formerNames = [...new Set([...(property.renamedFrom ?? []), ...renamedFrom])]
  return {
    ...property,
    ...(formerNames.length > 0 ? { renamedFrom: formerNames } : {}),
    rules: { ...rules, indexed: true },
  }
}

const UNDECLARED_KEYS = {
  counter: { type: 'bigint', kind: 'integer' },
  number: { type: 'decimal', kind: 'decimal' },
  string: { type: 'string', kind: 'text' },
} as const

const AUDIT_PROPERTIES: readonly Property[] = AUDIT_FIELDS.map((name) =>
  name.endsWith('At')
    ? { name, type: 'datetime', kind: 'datetime', rules: NO_RULES }
    : { name, type: 'string', kind: 'text', rules: NO_RULES },
)
