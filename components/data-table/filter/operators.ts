import type { Kind } from '@/lib/entities/definition'

/** How many values an operator takes. */
export type Arity = 'none' | 'one' | 'two' | 'many'
export type OperatorChoice = { operator: string; label: string; arity: Arity }

const LABELS: Record<string, [label: string, arity: Arity]> = {
  eq: ['is', 'one'],
  ne: ['is not', 'one'],
  gt: ['is more than', 'one'],
  gte: ['is at least', 'one'],
  lt: ['is less than', 'one'],
  lte: ['is at most', 'one'],
  between: ['is between', 'two'],
  in: ['is one of', 'many'],
  nin: ['is none of', 'many'],
  icontains: ['contains', 'one'],
  contains: ['contains (same case)', 'one'],
  istarts: ['starts with', 'one'],
  starts: ['starts with (same case)', 'one'],
  iends: ['ends with', 'one'],
  ends: ['ends with (same case)', 'one'],
  ilike: ['matches with %', 'one'],
  like: ['matches with % (same case)', 'one'],
  isnull: ['is empty', 'none'],
  notnull: ['is not empty', 'none'],
}

const IN_TIME: Record<string, string> = {
  gt: 'is after',
  gte: 'is at or after',
  lt: 'is before',
  lte: 'is at or before',
}

const NULLS = ['isnull', 'notnull']
const ORDER = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', ...NULLS]
const TEXT = ['icontains', 'eq', 'ne', 'istarts', 'iends', 'in', 'nin', 'ilike', 'like', 'contains']
const BY_KIND: Record<Kind, string[]> = {
  text: [...TEXT, 'starts', 'ends', 'gt', 'gte', 'lt', 'lte', 'between', ...NULLS],
  integer: ORDER,
  float: ORDER,
  decimal: ORDER,
  date: ORDER,
  datetime: ORDER,
  time: ORDER,
  boolean: ['eq', 'ne', ...NULLS],
  array: ['contains', ...NULLS],
  object: NULLS,
  json: ['eq', 'ne', 'icontains', 'in', ...NULLS],
}

const isTime = (kind: Kind) => kind === 'date' || kind === 'datetime' || kind === 'time'

/** The operators that make sense for a kind of field, the likeliest first. */
export function operatorsFor(kind: Kind, isEnum = false): OperatorChoice[] {
  const names = isEnum ? ['eq', 'ne', 'in', 'nin', ...NULLS] : BY_KIND[kind]
  return names.map((operator) => ({
    operator,
    label: labelOf(operator, kind),
    arity: arityOf(operator),
  }))
}

export function labelOf(operator: string, kind?: Kind): string {
  if (kind === 'array' && operator === 'contains') return 'has'
  const inTime = kind && isTime(kind) ? IN_TIME[operator] : undefined
  return inTime ?? LABELS[operator]?.[0] ?? operator
}

export const arityOf = (operator: string): Arity => LABELS[operator]?.[1] ?? 'one'
