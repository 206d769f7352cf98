import type { Entity, IndexDefinition } from './definition'

/** The indexes over several fields that an entity has, by its definition and its schema. */
export const entityIndexes = ({
  definition,
  schema,
}: Pick<Entity, 'definition' | 'schema'>): IndexDefinition[] => [
  ...definition.indexes,
  ...(schema?.unique ?? []).map((rule) => ({ ...rule, unique: true })),
]
