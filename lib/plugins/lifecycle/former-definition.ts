import type {
  EntityDefinition,
  KeyDefinition,
  Property,
  SchemaDefinition,
} from '@/lib/definitions/definition'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { JsonObject } from '@/lib/values/json'

/** A part of the key that was renamed takes its values back. */
export function withFormerKeys(
  { keys }: EntityDefinition,
  after: JsonObject | null,
): KeyDefinition[] {
  const next = (after?.definition as unknown as EntityDefinition | undefined)?.keys ?? []
  return keys.map((one) => {
    if (next.some(({ key }) => key === one.key)) return one
    const later = next.find(({ renamedFrom }) => renamedFrom?.includes(one.key))
    return later ? { ...one, renamedFrom: [later.key] } : one
  })
}

/** A property that was renamed takes its values back. */
export function withFormerNames(
  definition: SchemaDefinition,
  next: readonly Property[],
): SchemaDefinition {
  const kept = new Set(next.map(({ name }) => name))
  const properties = definition.properties.map((property) => {
    const { name } = property
    const later = kept.has(name) ? undefined : next.find((one) => one.renamedFrom?.includes(name))
    return later ? { ...property, renamedFrom: [later.name] } : property
  })
  return { ...definition, properties }
}

/** Columns that are served again keep what they hold: their defaults are for new records. */
export function withoutFills(
  definition: SchemaDefinition,
  users: readonly RegistryRow[],
): SchemaDefinition {
  const isHidden = (name: string) =>
    users.some(({ row }) => row.columns.some((column) => column.name === name)) &&
    users.every(({ schema }) => !schema?.properties.some((property) => property.name === name))
  const properties = definition.properties.map((property) => {
    const { default: _, generates: __, ...rules } = property.rules
    return rules.required || !isHidden(property.name) ? property : { ...property, rules }
  })
  return { ...definition, properties }
}

/** The row of an entity with the same definition, but without rules about fields that are unique together. */
export const withoutUniqueRules = (row: JsonObject): JsonObject => ({
  ...row,
  definition: loosenEntity(row.definition as unknown as EntityDefinition) as unknown as JsonObject,
})

export const loosenEntity = (definition: EntityDefinition): EntityDefinition => ({
  ...definition,
  indexes: definition.indexes.filter(({ unique }) => !unique),
})
