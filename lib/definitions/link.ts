import type { Entity, Property } from './definition'
import { type FileDetail, fault } from './definition-faults'

type Defined = Pick<Entity, 'definition' | 'schema'>

const references = ({ schema }: Defined): Property[] =>
  (schema?.properties ?? []).filter(({ rules }) => rules.reference)

/** What a field is that a file names by a list. */
export const LISTED =
  'is a list of linked records, which files do not write: bring records of the link instead'

/** The two references by which an entity links others, in the order of its schema; null for one that is no link. */
export function linkedBy(entity: Defined): [Property, Property] | null {
  if (!entity.definition.link) return null
  const [one, other, ...further] = references(entity)
  return one && other && further.length === 0 ? [one, other] : null
}

/** The fields of both references, each once: no two records link the same two. */
export function linkFields(entity: Defined): string[] {
  const both = linkedBy(entity) ?? []
  return [...new Set(both.flatMap(({ name, rules }) => [name, ...furtherOf(rules)]))]
}

const furtherOf = ({ reference }: Property['rules']) => Object.keys(reference?.with ?? {}).sort()

export function linkFaults(entity: Defined): FileDetail[] {
  const { name, link } = entity.definition
  if (!link || linkedBy(entity)) return []
  const names = references(entity).map((one) => one.name)
  const found = names.length === 0 ? 'none' : names.join(', ')
  const message = `A link has exactly two references, one to each side; ${name} has ${found}`
  return [fault('/link', message, true)]
}
