import type { Entity, FieldReference, Property } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import { isSystemEntity } from '@/lib/definitions/names'
import { sqlTypeOf } from './column-spec'

/** The fields of a reference and those of its target, in the same order, that of the field itself first. */
export function pairsOf(own: string, { field, with: further = {} }: FieldReference) {
  // In an order of their own: stored as JSON, the keys of an object have none.
  const others = Object.entries(further).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    columns: [own, ...others.map(([name]) => name)],
    fields: [field, ...others.map(([, name]) => name)],
  }
}

/** Why values of the reference of a property do not identify at most one record of `target`, or null. */
export function whyUnlinked(
  entity: Pick<Entity, 'name' | 'properties'>,
  { name: own, rules: { reference } }: Property,
  target: Entity | undefined,
): string | null {
  if (!reference || !target) return whyMissing(reference?.entity ?? '')
  const { columns, fields } = pairsOf(own, reference)
  for (const [at, name] of columns.entries()) {
    const from = propertyOf(entity, name)
    const to = propertyOf(target, fields[at] ?? '')
    if (!from) return `${entity.name} has no field ${name}`
    if (!to) return `${target.name} has no field ${fields[at]}`
    if (!typesAgree(sqlTypeOf(from), sqlTypeOf(to)))
      return `${name} is ${from.type} but ${target.name}.${to.name} is ${to.type}`
  }
  if (isUniqueIn(target, fields)) return null
  return fields.length === 1
    ? `${target.name}.${fields[0]} is not unique`
    : `${fields.join(', ')} of ${target.name} are not unique together`
}

const propertyOf = ({ properties }: Pick<Entity, 'properties'>, name: string) =>
  properties.find((property) => property.name === name)

/** Whether no two records have the same values of all these fields, by the key or a rule. */
function isUniqueIn(target: Entity, fields: readonly string[]): boolean {
  const isSame = (others: readonly string[]) =>
    others.length === fields.length && new Set([...others, ...fields]).size === fields.length
  const [only = ''] = fields
  const isUnique = !target.keys.includes(only) && propertyOf(target, only)?.rules.unique === true
  return (
    isSame(target.keys) ||
    (fields.length === 1 && isUnique) ||
    (fields.length > 1 && entityIndexes(target).some((rule) => rule.unique && isSame(rule.fields)))
  )
}

const whyMissing = (name: string) =>
  isSystemEntity(name) ? `${name} is a system entity` : `${name} is not installed`

/** Whether PostgreSQL compares the two types without a cast. */
function typesAgree(from: string, to: string): boolean {
  const [source, target] = [NUMBERS.indexOf(from), NUMBERS.indexOf(to)]
  return from === to || (source >= 0 && target >= 0 && source <= Math.max(target, 1))
}

// Each has an implicit cast to those after it; the first two also compare both ways.
const NUMBERS = ['smallint', 'bigint', 'numeric', 'double precision']
