import type { Kind } from './definition'

/** The number of values an operator takes; `two` and `list` are arrays in the body, `a|b` in the URL. */
export type Arity = 'none' | 'one' | 'two' | 'list'

type OperatorEntry = {
  /** The operator's label in a filter builder. */
  label: string
  arity: Arity
  kinds: readonly Kind[]
  /**
   * The cost of one test in tests of a number (measured): a case-insensitive pattern folds each text
   * again, natural order compares by language rules. Default: 1, and `NATURAL_COST` for ranges of text.
   */
  cost?: number
  /** Matches parts of texts and lists, so its value is not of the field's own type. */
  isPattern?: boolean
}

const PATTERN = { cost: 20, isPattern: true } as const
const ANY_CASE_PATTERN = { cost: 150, isPattern: true } as const

const ORDERED = [
  'text',
  'integer',
  'float',
  'decimal',
  'date',
  'datetime',
  'time',
  'json',
] as const satisfies readonly Kind[]
const WORDED = ['text', 'json', 'object', 'array'] as const satisfies readonly Kind[]
const ALL = [...ORDERED, 'boolean', 'object', 'array'] as const satisfies readonly Kind[]

/** Every operator of a condition. For a new entry the compiler requires its SQL. */
export const OPERATORS = {
  eq: { label: 'is', arity: 'one', kinds: ALL },
  ne: { label: 'is not', arity: 'one', kinds: ALL },
  gt: { label: 'is greater than', arity: 'one', kinds: ORDERED },
  gte: { label: 'is at least', arity: 'one', kinds: ORDERED },
  lt: { label: 'is less than', arity: 'one', kinds: ORDERED },
  lte: { label: 'is at most', arity: 'one', kinds: ORDERED },
  between: { label: 'is between', arity: 'two', kinds: ORDERED },
  in: { label: 'is one of', arity: 'list', kinds: ALL },
  nin: { label: 'is none of', arity: 'list', kinds: ALL },
  like: { label: 'is like (case-sensitive)', arity: 'one', kinds: WORDED, ...PATTERN },
  ilike: { label: 'is like', arity: 'one', kinds: WORDED, ...ANY_CASE_PATTERN },
  contains: { label: 'contains (case-sensitive)', arity: 'one', kinds: WORDED, ...PATTERN },
  icontains: { label: 'contains', arity: 'one', kinds: WORDED, ...ANY_CASE_PATTERN },
  starts: { label: 'starts with (case-sensitive)', arity: 'one', kinds: WORDED, ...PATTERN },
  istarts: { label: 'starts with', arity: 'one', kinds: WORDED, ...ANY_CASE_PATTERN },
  ends: { label: 'ends with (case-sensitive)', arity: 'one', kinds: WORDED, ...PATTERN },
  iends: { label: 'ends with', arity: 'one', kinds: WORDED, ...ANY_CASE_PATTERN },
  matches: { label: 'matches the pattern', arity: 'one', kinds: ['text'], ...ANY_CASE_PATTERN },
  isnull: { label: 'is empty', arity: 'none', kinds: ALL },
  notnull: { label: 'is not empty', arity: 'none', kinds: ALL },
} as const satisfies Record<string, OperatorEntry>

export type OperatorName = keyof typeof OPERATORS

/** The operators of fields of a kind, as a type: `OperatorOf<'json'>`. */
export type OperatorOf<K extends Kind> = {
  [Name in OperatorName]: K extends (typeof OPERATORS)[Name]['kinds'][number] ? Name : never
}[OperatorName]

export const isPattern = (name: OperatorName): boolean => entry(name).isPattern ?? false

export const costOf = (name: OperatorName): number => entry(name).cost ?? 1

const entry = (name: OperatorName): OperatorEntry => OPERATORS[name]

export const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[]

/** Operators that combine conditions instead of testing a field. */
export const LOGICAL = ['and', 'or', 'not'] as const
export type LogicalName = (typeof LOGICAL)[number]

/** The operator with this name, case-insensitive, or null. */
export function findOperator(written: string): OperatorName | null {
  const name = written.toLowerCase()
  return Object.hasOwn(OPERATORS, name) ? (name as OperatorName) : null
}

/** The operators of fields of this kind. */
export const operatorsOf = (kind: Kind): OperatorName[] =>
  OPERATOR_NAMES.filter((name) => (OPERATORS[name].kinds as readonly Kind[]).includes(kind))
