import type { Entity, Property } from '@/lib/definitions/definition'
import { isTextKind } from '@/lib/kinds/kind'
import type { SearchTarget } from '@/lib/registry/target'
import type { JsonObject } from '@/lib/values/json'

const NAMING = ['name', 'title', 'label', 'email', 'subject']
const TEXTS = 3
const MAX_TITLE = 200

/** The texts of an entity to look into: those made for it, else the first ones. */
export function textsOf({ properties, keys }: Pick<Entity, 'properties' | 'keys'>): Property[] {
  const texts = properties.filter(
    ({ name, kind, rules }) => isTextKind(kind) && !keys.includes(name) && !rules.reference,
  )
  const made = texts.filter(({ rules }) => rules.searchable)
  return made.length > 0 ? made : texts.slice(0, TEXTS)
}

/** The entity with the fields alone that each row shows to the reader of `target`. */
export function openPart(entity: Entity, { fields }: SearchTarget): Entity {
  const names = new Set(fields.filter(({ mask }) => !mask).map(({ name }) => name))
  return { ...entity, properties: entity.properties.filter(({ name }) => names.has(name)) }
}

/** Fields whose text names a record, the best first. */
export function namingFields(entity: Entity): string[] {
  const usual = NAMING.filter((name) =>
    entity.properties.some((property) => property.name === name && isTextKind(property.kind)),
  )
  return [...new Set([...usual, ...textsOf(entity).map(({ name }) => name)])].slice(0, TEXTS)
}

/** The text that names a record with the fields `named`; its id where it has none. */
export function titleOf(record: JsonObject, named: readonly string[]): string {
  const texts = named.map((name) => record[name])
  const text = texts.find((value) => typeof value === 'string' && value)
  return typeof text === 'string' ? text.slice(0, MAX_TITLE) : String(record.persistenceId)
}
