import type { Kind } from '@/lib/definitions/definition'
import { findOperator } from '@/lib/definitions/operators'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { type Condition, isGroup } from './condition'
import { labelOf } from './operators'

/** A field that can be filtered by. */
export type FilterField = {
  name: string
  label?: string
  kind: Kind
  enum?: readonly ExactJson[]
  /** What the field refers to; its control is chosen by that. */
  reference?: ColumnDescription['rules']['reference']
}

/** A condition in words: `Status is none of DISABLED`. */
export function describe(condition: Condition, fields: readonly FilterField[]): string {
  if (isGroup(condition)) {
    const parts = condition.filters.map((each) => describe(each, fields))
    if (condition.operator === 'not') return `not (${parts.join(' and ')})`
    return parts.length > 1 ? `(${parts.join(` ${condition.operator} `)})` : (parts[0] ?? '')
  }
  const field = fields.find(({ name }) => name === condition.field)
  const words = [field?.label ?? condition.field, labelOf(condition.operator, field?.kind)]
  const isRange = findOperator(condition.operator) === 'between' && Array.isArray(condition.value)
  const value = isRange
    ? (condition.value as unknown[]).map(describeValue).join(' and ')
    : describeValue(condition.value)
  return [...words, value].filter(Boolean).join(' ')
}

function describeValue(value: unknown): string {
  if (value === undefined) return ''
  if (value === '') return '“”'
  if (!Array.isArray(value)) return plainText(value)
  const shown = value.slice(0, SHOWN_VALUES).map(describeValue).join(', ')
  return value.length > SHOWN_VALUES ? `${shown} and ${value.length - SHOWN_VALUES} more` : shown
}

const SHOWN_VALUES = 3
