import type {
  EntityDefinition,
  KeyDefinition,
  Property,
  SchemaDefinition,
} from '@/lib/definitions/definition'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import { sqlTypeOf } from '@/lib/tables/column-spec'
import { isWidening } from '@/lib/tables/convert-column'
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

/** The schema with types that hold the values of the other one too, and without rules. */
export function loosenSchema(schema: SchemaDefinition, other: SchemaDefinition): SchemaDefinition {
  const { unique: _, ...rest } = schema
  const properties = schema.properties.map((property) => {
    const { name, renamedFrom = [] } = property
    const same = other.properties.find((one) => one.name === name)
    const renamed = other.properties.find(
      (one) => renamedFrom.includes(one.name) || one.renamedFrom?.includes(name),
    )
    return loosenProperty(property, same ?? renamed)
  })
  return { ...rest, additionalProperties: true, properties }
}

function loosenProperty(property: Property, other: Property | undefined): Property {
  const { computed, default: preset, generates } = property.rules
  if (computed !== undefined) return property
  const { kind, type } = other ? widest(property, other) : property
  const isSame = kind === property.kind
  return {
    ...property,
    kind,
    type,
    rules: {
      required: false,
      unique: false,
      indexed: false,
      searchable: false,
      ...(isSame && preset !== undefined ? { default: preset } : {}),
      ...(isSame && generates !== undefined ? { generates } : {}),
    },
  }
}

function widest(a: Property, b: Property): Pick<Property, 'kind' | 'type'> {
  const [typeOfA, typeOfB] = [sqlTypeOf(a), sqlTypeOf(b)]
  if (typeOfA === typeOfB || isWidening(typeOfB, a)) return a
  return isWidening(typeOfA, b) ? b : { kind: 'json', type: 'json' }
}
