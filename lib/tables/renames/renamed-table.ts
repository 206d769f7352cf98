import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { type Db, tableSql } from '@/lib/db/sql'
import type {
  AddedIndex,
  Entity,
  EntityDefinition,
  Property,
  SchemaDefinition,
  TableName,
} from '@/lib/definitions/definition'
import { mapDisplay } from '@/lib/definitions/map-display'
import { renamedExpression } from '@/lib/definitions/renamed-expression'
import type { StoredTable } from '../column-spec'
import type { EnforcedReference } from '../plan-references'
import { storedReferences } from '../stored-references'
import type { FieldRename } from './plan-renames'

/** What a table and its fields are called from now on. */
export type Renaming = { name: string; table: TableName; fields: readonly FieldRename[] }

/** The table as it is after its renames, before any other change. */
export function renamedTable(
  { columns, entity }: StoredTable,
  { name, table, fields }: Renaming,
): StoredTable {
  const nameOf = renamer(fields)
  const replaced = new Set(fields.filter(({ replaces }) => replaces).map(({ to }) => to))
  const moved = new Set(fields.filter(({ isExtra }) => !isExtra).map(({ from }) => from))
  const stays = (one: { name: string }) => !replaced.has(one.name)
  const renamed = <T extends { name: string }>(one: T): T =>
    moved.has(one.name) ? { ...one, name: nameOf(one.name) } : one
  return {
    columns: columns.filter(stays).map(renamed),
    entity: {
      ...entity,
      name,
      table,
      definition: renamedDefinition(entity.definition, fields),
      schema: entity.schema && renamedSchema(entity.schema, nameOf),
      properties: entity.properties
        .filter(stays)
        .map((property) => withPresentNames(renamed(property), nameOf)),
      keys: entity.keys.map(nameOf),
      extraFields: entity.extraFields.map(nameOf),
      addedIndexes: entity.addedIndexes.map((index) => renamedIndex(index, nameOf)),
    },
  }
}

/** PostgreSQL follows a renamed column in what is computed from it. */
function withPresentNames(property: Property, nameOf: NameOf): Property {
  const { computed } = property.rules
  if (computed === undefined) return property
  return {
    ...property,
    rules: { ...property.rules, computed: renamedExpression(computed, nameOf) },
  }
}

/** Only what indexes are made of: the properties are those of the entity. */
const renamedSchema = (schema: SchemaDefinition, nameOf: NameOf): SchemaDefinition => ({
  ...schema,
  ...(schema.unique
    ? { unique: schema.unique.map((rule) => ({ ...rule, fields: rule.fields.map(nameOf) })) }
    : {}),
})

type NameOf = (name: string) => string

/** The definition with the present names of its keys and of the fields of its indexes. */
export function renamedDefinition(
  definition: EntityDefinition,
  fields: readonly FieldRename[],
): EntityDefinition {
  const nameOf = renamer(fields)
  return {
    ...definition,
    keys: definition.keys.map((key) => ({ ...key, key: nameOf(key.key) })),
    indexes: definition.indexes.map((index) => ({ ...index, fields: index.fields.map(nameOf) })),
    ...(definition.display ? { display: mapDisplay(definition.display, nameOf) } : {}),
    ...(typeof definition.distribution === 'object'
      ? { distribution: { ...definition.distribution, by: nameOf(definition.distribution.by) } }
      : {}),
  }
}

function renamedIndex(index: AddedIndex, nameOf: (name: string) => string): AddedIndex {
  const parts = index.parts.map((part) => {
    const [first = '', ...rest] = part.field.split('.')
    const path = part.path.map((key, at) =>
      at === 0 && part.column === '$extra' ? nameOf(key) : key,
    )
    return { ...part, field: [nameOf(first), ...rest].join('.'), column: nameOf(part.column), path }
  })
  return { ...index, parts }
}

export const renamer = (fields: readonly FieldRename[]) => {
  const names = new Map(fields.map(({ from, to }) => [from, to]))
  return (name: string): string => names.get(name) ?? name
}

export const isSameTable = (a: Entity['table'], b: Entity['table']): boolean =>
  a.schema === b.schema && a.name === b.name

/** Gives foreign keys that are still wanted, on renamed tables or columns, the names they have from now on. */
export async function renameReferences(
  tx: Db,
  desired: readonly EnforcedReference[],
): Promise<void> {
  for (const { table, reference } of await storedReferences(tx)) {
    const { name, ...link } = reference
    const same = desired.find(
      (one) =>
        isDeepStrictEqual(one.table, table) &&
        isDeepStrictEqual(one.reference, { ...link, name: one.reference.name }),
    )
    if (!same || same.reference.name === name) continue
    await tx.execute(
      sql`alter table ${tableSql(table)} rename constraint ${sql.identifier(name)} to ${sql.identifier(same.reference.name)}`,
    )
  }
}
