import type { Entity, IndexDefinition } from './definition'
import { linkFields } from './link'

type Defined = Pick<Entity, 'definition' | 'schema'>

/** The indexes over several fields that an entity has, by its definition and its schema. */
export const entityIndexes = (entity: Defined): IndexDefinition[] => {
  const declared = [
    ...entity.definition.indexes,
    ...(entity.schema?.unique ?? []).map((rule) => ({ ...rule, unique: true })),
  ]
  return [...declared, ...linkIndex(entity, declared)]
}

/** No two records link the same two, where neither the key nor a rule says so. */
function linkIndex(entity: Defined, declared: readonly IndexDefinition[]): IndexDefinition[] {
  const fields = linkFields(entity)
  const isSame = (others: readonly string[]) =>
    others.length === fields.length && others.every((name) => fields.includes(name))
  const isHeld =
    isSame(entity.definition.keys.map(({ key }) => key)) ||
    declared.some(({ unique, fields }) => unique && isSame(fields))
  return fields.length === 0 || isHeld ? [] : [{ fields, unique: true }]
}
