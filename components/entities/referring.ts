import { type Condition, isGroup, isWords } from '@/components/data-table/filter/condition'
import { testedName } from '@/components/data-table/filter/relation'
import { serializeListParams } from '@/components/data-table/list-params'
import { findOperator } from '@/lib/definitions/operators'
import type { ReferringField } from '@/lib/tables/column-contract'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import type { EntityRecord } from './types'
import { valuesText } from './use-panel'

export type { ReferringField }

/** About one field. */
type PlainCondition = { field: string; operator: string; value: ExactJson }

/** Of the response that describes an entity's fields. */
export const referringFieldsOf = (response?: { meta: Record<string, unknown> }): ReferringField[] =>
  (response?.meta.referencedBy as ReferringField[] | undefined) ?? []

/** Matches the records that refer to `record`; null when it has no value that could be referred to. */
export function referringTo(
  { field, reference }: ReferringField,
  record: EntityRecord,
): PlainCondition[] | null {
  const pairs = [[field, reference.field], ...Object.entries(reference.with ?? {})]
  const conditions = pairs.map(([own = '', target = '']) => ({
    field: own,
    operator: 'eq',
    value: record[target] ?? null,
  }))
  return conditions.some(({ value }) => value === null) ? null : conditions
}

/** Where a record is created that refers as `query` says. */
export function creationHref(entity: string, query: readonly PlainCondition[]): string {
  const values = Object.fromEntries(query.map(({ field, value }) => [field, plainText(value)]))
  const params = new URLSearchParams({ create: 'true', with: valuesText(values) })
  return `/entities/${encodeURIComponent(entity)}?${params}`
}

/** Matches the records that refer to one that `query` matches; null when that can't be said. */
export function referringToMatches(
  referring: ReferringField,
  query: readonly Condition[],
): Condition[] | null {
  const { field, reference } = referring
  if (query.length === 0) return [{ field, operator: 'notnull' }]
  const isAlone = reference.with === undefined
  const beyond = (condition: Condition): Condition | null => {
    if (isGroup(condition)) {
      const filters = condition.filters.map(beyond)
      return filters.includes(null) ? null : { ...condition, filters: filters as Condition[] }
    }
    // Text search does not go beyond references.
    if (isWords(condition)) return null
    if (isAlone && condition.field === reference.field) return { ...condition, field }
    // The id of a record is known by that name in its own entity alone.
    if (condition.field === 'persistenceId') return null
    return { ...condition, field: `${field}.${condition.field}` }
  }
  const conditions = query.map(beyond)
  if (conditions.includes(null)) return null
  // Some also hold where nothing is referred to.
  const isLoose = query.some(mayHoldOfNothing)
  return [...(conditions as Condition[]), ...(isLoose ? [{ field, operator: 'notnull' }] : [])]
}

function mayHoldOfNothing(condition: Condition): boolean {
  if (isGroup(condition))
    return condition.operator === 'not' || condition.filters.some(mayHoldOfNothing)
  if (isWords(condition)) return false
  if (/\.(none|every|\$count)(\.|$)/.test(testedName(condition))) return true
  const operator = findOperator(condition.operator) ?? ''
  const values = Array.isArray(condition.value) ? condition.value : [condition.value]
  return ['ne', 'nin', 'isnull'].includes(operator) || values.includes(null)
}

/** The page of an entity's records that match. */
export const recordsHref = (entity: string, filter: Condition[] = []): string =>
  `/entities/${encodeURIComponent(entity)}${serializeListParams({ filter })}`

/** What the deletion of a record does to those that refer to it. */
export function consequenceOf({ reference, loose }: ReferringField): string {
  if (loose !== undefined) return 'kept on deletion'
  if (reference.onDelete === 'cascade') return 'deleted with it'
  return reference.onDelete === 'setNull' ? 'emptied on deletion' : 'prevents deletion'
}
