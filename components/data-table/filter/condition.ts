import { MATCHES_TEXT } from '@/lib/definitions/text-search'
import { parseExactJson } from '@/lib/values/exact-json'
import { splitTyped, unquoted } from './split-typed'

/** A condition of the search object, as it goes over the wire. */
export type FieldCondition = {
  field: string
  operator: string
  value?: unknown
  /** Of the records that refer to one: `field` is their relation, `operator` says how many must meet these. */
  filters?: Condition[]
}
export type GroupCondition = { operator: 'and' | 'or' | 'not'; filters: Condition[] }
/** Text search in all fields of the entity that take part in it. */
export type WordsCondition = { operator: typeof MATCHES_TEXT; value: string }
export type Condition = FieldCondition | GroupCondition | WordsCondition

export const isGroup = (condition: Condition): condition is GroupCondition =>
  'filters' in condition && !('field' in condition)

export const isField = (condition: Condition): condition is FieldCondition =>
  !isGroup(condition) && !isWords(condition)

export const isWords = (condition: Condition): condition is WordsCondition =>
  !('field' in condition) && condition.operator === MATCHES_TEXT

/** The conditions that one consists of, or that it has of other records. */
export const innerOf = (condition: Condition): readonly Condition[] =>
  'filters' in condition ? (condition.filters ?? []) : []

/** Every condition on a field, of groups too; not those of other records. */
export const fieldConditions = (conditions: readonly Condition[]): FieldCondition[] =>
  conditions
    .flatMap((each) => (isGroup(each) ? fieldConditions(each.filters) : each))
    .filter(isField)

/** `text` is not a filter: the server will say so, which is better than showing everything. */
const broken = (text: string): Condition[] => [{ field: '', operator: 'unreadable', value: text }]

/** The filter of a page's address: JSON, or written as `?filter=` of the API. */
export function parseFilter(text: string): Condition[] {
  try {
    const value: unknown = parseExactJson(text)
    return Array.isArray(value) ? value : broken(text)
  } catch {
    return writtenFilter(text) ?? broken(text)
  }
}

const writtenFilter = (text: string): FieldCondition[] | null =>
  splitTyped(text)?.map(({ name: field, operator, isList, values }) => {
    const read = values?.map((value) => (value === 'null' ? null : unquoted(value)))
    return { field, operator, ...(read && { value: isList ? read : read[0] }) }
  }) ?? null

/** How many fields a filter tests. */
export const countConditions = (filter: readonly Condition[]): number =>
  filter.reduce((sum, each) => sum + (isGroup(each) ? countConditions(each.filters) : 1), 0)
