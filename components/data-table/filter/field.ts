import type { Kind } from '@/lib/definitions/definition'
import { findOperator } from '@/lib/definitions/operators'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { ExactJson } from '@/lib/values/exact-json'
import { formatValue } from '../format-value'
import { type Condition, isGroup } from './condition'
import { labelOf } from './operators'

/** A field that can be filtered by. */
export type FilterField = {
  name: string
  label?: string
  kind: Kind
  /** What the field refers to; its control is chosen by that. */
  reference?: ColumnDescription['rules']['reference']
  /** Names the record: its digits are not grouped. */
  key?: boolean
  enum?: readonly ExactJson[]
}

/** A condition in words: `Status is none of DISABLED`; times in `timeZone`, else in the reader's. */
export function describe(
  condition: Condition,
  fields: readonly FilterField[],
  timeZone?: string,
): string {
  if (isGroup(condition)) {
    const parts = condition.filters.map((each) => describe(each, fields, timeZone))
    if (condition.operator === 'not') return `not (${parts.join(' and ')})`
    return parts.length > 1 ? `(${parts.join(` ${condition.operator} `)})` : (parts[0] ?? '')
  }
  const field = fields.find(({ name }) => name === condition.field)
  const words = [field?.label ?? condition.field, labelOf(condition.operator, field?.kind)]
  const say = (value: unknown) => describeValue(value, field, timeZone)
  const isRange = findOperator(condition.operator) === 'between' && Array.isArray(condition.value)
  const value = isRange
    ? (condition.value as unknown[]).map(say).join(' and ')
    : say(condition.value)
  return [...words, value].filter(Boolean).join(' ')
}

function describeValue(value: unknown, field?: FilterField, timeZone?: string): string {
  if (value === undefined) return ''
  if (value === '') return '“”'
  const known = field ?? { name: '', kind: 'text' }
  if (!Array.isArray(value)) return formatValue(value, known, { timeZone })
  const shown = value.slice(0, SHOWN_VALUES).map((each) => describeValue(each, field, timeZone))
  const more = value.length - SHOWN_VALUES
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

const SHOWN_VALUES = 3
