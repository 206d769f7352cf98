import {
  type Arity,
  findOperator,
  OPERATORS,
  type OperatorName,
  operatorsOf,
} from '@/lib/definitions/operators'
import type { Kind } from '@/lib/kinds/kind'
import type { FilterField } from './field'

export type { Arity }
export type OperatorChoice = { operator: string; label: string; arity: Arity }

/** What `between` a relative time and now is called in the builder. */
const SPANS: OperatorChoice[] = [
  { operator: 'last', label: 'is in the last', arity: 'one' },
  { operator: 'next', label: 'is in the next', arity: 'one' },
]

const IN_TIME: Partial<Record<OperatorName, string>> = {
  gt: 'is after',
  gte: 'is at or after',
  lt: 'is before',
  lte: 'is at or before',
}

/** What people reach for first; the rest follows in the order of the search engine's table. */
const FIRST: Partial<Record<Kind, OperatorName[]>> = {
  text: ['icontains', 'eq', 'ne', 'istarts', 'iends', 'in', 'nin'],
  array: ['contains', 'isnull', 'notnull'],
  date: ['gte', 'lte', 'between', 'eq'],
  datetime: ['gte', 'lte', 'between'],
  object: ['isnull', 'notnull', 'icontains'],
}

const OF_ENUM: OperatorName[] = ['eq', 'ne', 'in', 'nin', 'isnull', 'notnull']
const OF_BOOLEAN: OperatorName[] = ['eq', 'ne', 'isnull', 'notnull']

/** The operators that make sense for a kind of field, the likeliest first. */
export function operatorsFor({
  kind,
  enum: values,
  reference,
}: Pick<FilterField, 'kind' | 'enum' | 'reference'>): OperatorChoice[] {
  const choices = namesFor(kind, values !== undefined, reference !== undefined).map((operator) => ({
    operator,
    label: labelOf(operator, kind),
    arity: arityOf(operator),
  }))
  return kind === 'date' || kind === 'datetime' ? [...SPANS, ...choices] : choices
}

function namesFor(kind: Kind, isEnum: boolean, isReference: boolean): OperatorName[] {
  if (isEnum) return OF_ENUM
  // A record is chosen by its name; parts of ids are rarely asked for.
  if (isReference) return [...new Set([...OF_ENUM, ...operatorsOf(kind)])]
  if (kind === 'boolean') return OF_BOOLEAN
  return [...new Set([...(FIRST[kind] ?? []), ...operatorsOf(kind)])]
}

export function labelOf(written: string, kind?: Kind): string {
  const operator = findOperator(written)
  if (!operator) return written
  if (kind === 'array' && operator === 'contains') return 'has'
  const isTime = kind === 'date' || kind === 'datetime' || kind === 'time'
  return (isTime ? IN_TIME[operator] : undefined) ?? OPERATORS[operator].label
}

export function arityOf(written: string): Arity {
  const operator = findOperator(written)
  return operator ? OPERATORS[operator].arity : 'one'
}
