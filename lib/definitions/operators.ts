import { hasOperators, type KIND_TRAITS, type Kind, type OperatorFamily } from '@/lib/kinds/kind'

/** The number of values an operator takes; `two`, `list` and those of a `place` are arrays in the body, `a|b` in the URL. */
export type Arity = 'none' | 'one' | 'two' | 'place' | 'list'

type OperatorEntry = {
  /** The operator's label in a filter builder. */
  label: string
  arity: Arity
  /** What it asks of values; kinds say what can be asked of theirs. */
  family: OperatorFamily
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

/** Every operator of a condition, in lower case; conditions may write it in any. For a new entry the compiler requires its SQL. */
export const OPERATORS = {
  eq: { label: 'is', arity: 'one', family: 'any' },
  ne: { label: 'is not', arity: 'one', family: 'any' },
  gt: { label: 'is greater than', arity: 'one', family: 'order' },
  gte: { label: 'is at least', arity: 'one', family: 'order' },
  lt: { label: 'is less than', arity: 'one', family: 'order' },
  lte: { label: 'is at most', arity: 'one', family: 'order' },
  between: { label: 'is between', arity: 'two', family: 'order' },
  in: { label: 'is one of', arity: 'list', family: 'any' },
  nin: { label: 'is none of', arity: 'list', family: 'any' },
  like: { label: 'is like (case-sensitive)', arity: 'one', family: 'words', ...PATTERN },
  ilike: { label: 'is like', arity: 'one', family: 'words', ...ANY_CASE_PATTERN },
  contains: { label: 'contains (case-sensitive)', arity: 'one', family: 'words', ...PATTERN },
  icontains: { label: 'contains', arity: 'one', family: 'words', ...ANY_CASE_PATTERN },
  starts: { label: 'starts with (case-sensitive)', arity: 'one', family: 'words', ...PATTERN },
  istarts: { label: 'starts with', arity: 'one', family: 'words', ...ANY_CASE_PATTERN },
  ends: { label: 'ends with (case-sensitive)', arity: 'one', family: 'words', ...PATTERN },
  iends: { label: 'ends with', arity: 'one', family: 'words', ...ANY_CASE_PATTERN },
  matches: { label: 'matches the pattern', arity: 'one', family: 'pattern', ...ANY_CASE_PATTERN },
  near: { label: 'is near', arity: 'place', family: 'place', cost: 50 },
  within: { label: 'is within', arity: 'place', family: 'place', cost: 20 },
  isnull: { label: 'is empty', arity: 'none', family: 'any' },
  notnull: { label: 'is not empty', arity: 'none', family: 'any' },
} as const satisfies Record<string, OperatorEntry>

export type OperatorName = LowerCaseOnly<keyof typeof OPERATORS>

/** A name with a capital could not be found, and does not compile where an operator is meant. */
type LowerCaseOnly<Name extends string> = Name extends Lowercase<Name> ? Name : never

/** The operators of fields of a kind, as a type: `OperatorOf<'json'>`. */
export type OperatorOf<K extends Kind> = {
  [Name in OperatorName]: (typeof OPERATORS)[Name]['family'] extends (typeof KIND_TRAITS)[K]['operators'][number]
    ? Name
    : never
}[OperatorName]

export const isPattern = (name: OperatorName): boolean => entry(name).isPattern ?? false

export const costOf = (name: OperatorName): number => entry(name).cost ?? 1

const entry = (name: OperatorName): OperatorEntry => OPERATORS[name]

export const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[]

/** Operators that combine conditions instead of testing a field. */
export const LOGICAL = ['and', 'or', 'not'] as const
export type LogicalName = (typeof LOGICAL)[number]

/** How many of the records that refer to one must meet a condition. */
export const QUANTIFIERS = ['some', 'none', 'every'] as const
export type Quantifier = (typeof QUANTIFIERS)[number]

/** The quantifier with this name, case-insensitive, or null. */
export const findQuantifier = (written: string): Quantifier | null =>
  QUANTIFIERS.find((one) => one === written.toLowerCase()) ?? null

/** In names, how many the records that refer to one are, and what their values of a field come to. */
export const [RELATED_COUNT, RELATED_SUM] = ['$count', '$sum']

/** The operator with this name, case-insensitive, or null. */
export function findOperator(written: string): OperatorName | null {
  const name = written.toLowerCase()
  return Object.hasOwn(OPERATORS, name) ? (name as OperatorName) : null
}

/** The operators of fields of this kind. */
export const operatorsOf = (kind: Kind): OperatorName[] =>
  OPERATOR_NAMES.filter((name) => hasOperators(kind, OPERATORS[name].family))
