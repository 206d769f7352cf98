import type { DefinitionProposal } from '@/lib/import/contract'

/** A property of the entity to be, as it is edited. */
export type DraftProperty = {
  column: string
  name: string
  /** Null: the column is left out. */
  type: string | null
  required: boolean
  maxLength?: number | undefined
}

export type DraftDefinition = {
  name: string
  /** The name of the property that identifies records; null: numbers that the server gives. */
  key: string | null
  /** Whether every version of its records is kept. */
  history: boolean
  properties: readonly DraftProperty[]
}

type SchemaProperty = { name: string; type: string; required?: boolean; maxLength?: number }

/** What was proposed, to be edited. */
export function toDraft({ entity, schema, columns }: DefinitionProposal): DraftDefinition {
  const [key] = (entity.pks ?? []) as { key: string }[]
  const properties = schema.properties as SchemaProperty[]
  return {
    name: String(entity.name),
    key: key?.key ?? null,
    history: true,
    properties: properties.map(({ name, type, required = false, maxLength }, at) => ({
      ...{ column: columns[at]?.column ?? name, name, type, required, maxLength },
    })),
  }
}

/** The fields that the columns of the file become; null leaves a column out. */
export const mappingOf = ({ properties }: DraftDefinition): Record<string, string | null> =>
  Object.fromEntries(
    properties.map(({ column, name, type }) => [column, type === null ? null : name]),
  )

/** The definitions as files of a plugin. */
export function toDefinitions({ name, key, history, properties }: DraftDefinition) {
  const kept = properties.filter(({ type }) => type !== null)
  const identity = kept.find((property) => property.name === key)
  const isNumber = identity?.type === 'integer'
  const strategy = isNumber && key?.toLowerCase() === 'id' ? 'AutoIncrement' : 'Fixed'
  const pks = identity && [{ key, strategy, type: isNumber ? 'number' : 'string' }]
  return {
    entity: { name, ...(pks ? { pks } : {}), ...(history ? { history } : {}) },
    schema: {
      ...{ name, additionalProperties: false },
      properties: kept.map(({ column, name: property, type, required, maxLength }) => ({
        ...{ name: property, type },
        ...(column === property ? {} : { label: column }),
        ...(required && property !== key ? { required } : {}),
        ...(maxLength !== undefined && type === 'string' ? { maxLength } : {}),
      })),
    },
  }
}
