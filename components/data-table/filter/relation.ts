import {
  findQuantifier,
  QUANTIFIERS,
  type Quantifier,
  RELATED_COUNT,
  RELATED_SUM,
} from '@/lib/definitions/operators'
import { isNumberKind } from '@/lib/kinds/kind'
import type { Beyond } from './beyond'
import type { FieldCondition } from './condition'
import type { FilterField } from './field'

const WORDS: Record<Quantifier, string> = {
  some: 'at least one',
  none: 'none',
  every: 'each',
}

/** What can be asked of the records that refer to one, as fields: `some`, …, `$count`, `$sum`. */
export function asksOf(beyond: Beyond): FilterField[] {
  const related = { entity: beyond.entity }
  const quantified = QUANTIFIERS.map((quantifier): FilterField => {
    return { name: quantifier, label: WORDS[quantifier], kind: 'text', related, beyond }
  })
  const sum: FilterField = { name: RELATED_SUM, label: 'sum of', kind: 'text', related, beyond }
  return [
    ...quantified,
    { name: RELATED_COUNT, label: 'how many', kind: 'integer' },
    { ...sum, suits: ({ kind, reference }) => isNumberKind(kind) && !reference },
  ]
}

/** What a condition tests: `orders.some` where the relation `orders` has the operator `some`. */
export function testedName({ field, operator }: FieldCondition): string {
  const quantifier = findQuantifier(operator)
  return quantifier ? `${field}.${quantifier}` : field
}

/** The condition of what `testedName` gives; null for another name. */
export function quantifiedCondition(name: string): FieldCondition | null {
  const dot = name.lastIndexOf('.')
  const operator = findQuantifier(name.slice(dot + 1))
  return operator && { field: name.slice(0, dot), operator }
}
