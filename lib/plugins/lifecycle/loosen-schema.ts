import type { Property, SchemaDefinition } from '@/lib/definitions/definition'
import { sqlTypeOf } from '@/lib/tables/column-type'
import { isWidening } from '@/lib/tables/convert-column'

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
