import { isDeepStrictEqual } from 'node:util'
import { isListKind, isNumberKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import { addDecimals, isCalculable, multiplyDecimals } from '@/lib/values/decimal'
import { type Json, literalOf, numberOf } from '@/lib/values/json'

/** What an operand must be. */
type Operand = 'a number' | 'a text' | 'a value or a list of values'

/** How a record's new value is made of the stored one. */
export type Operator = {
  /** What its operand must be for fields of the kind; null: it has no meaning for them. */
  takes: (kind: Kind) => Operand | null
  /** The fields that it is for, for messages. */
  on: string
  /** Operands of lists are lists. */
  apply: (stored: Json, operand: Json) => Json
}

/** Texts and lists without a value count as empty; numbers without a value stay so. */
const OPERATORS: Record<string, Operator> = {
  $increment: { takes: ofNumbers, on: 'numbers', apply: calculate(addDecimals) },
  $multiply: { takes: ofNumbers, on: 'numbers', apply: calculate(multiplyDecimals) },
  $append: { takes: ofTexts, on: 'texts and lists', apply: (stored, end) => join(stored, end) },
  $prepend: {
    takes: ofTexts,
    on: 'texts and lists',
    apply: (stored, start) => join(start, stored),
  },
  $remove: { takes: ofLists, on: 'lists', apply: without },
}

export const findOperator = (name: string): Operator | null =>
  Object.hasOwn(OPERATORS, name) ? (OPERATORS[name] ?? null) : null

/** All that may stand in place of a value. */
export const OPERATOR_NAMES = [...Object.keys(OPERATORS), '$field', '$now', '$unset', '$value']

function ofNumbers(kind: Kind): Operand | null {
  return isNumberKind(kind) ? 'a number' : null
}

function ofLists(kind: Kind): Operand | null {
  return isListKind(kind) ? 'a value or a list of values' : null
}

function ofTexts(kind: Kind): Operand | null {
  return isTextKind(kind) ? 'a text' : ofLists(kind)
}

/** One of the two is an operand, and so a text or a list; the other may be null. */
function join(first: Json, last: Json): Json {
  return Array.isArray(first) || Array.isArray(last)
    ? [...listOf(first), ...listOf(last)]
    : `${first ?? ''}${last ?? ''}`
}

function without(stored: Json, removed: Json): Json {
  if (!Array.isArray(stored)) return stored
  return stored.filter((one) => !listOf(removed).some((other) => isDeepStrictEqual(other, one)))
}

/** Whether it is a number that operators can calculate with. */
export const isOperand = (value: Json): boolean => {
  const digits = digitsOf(value)
  return digits !== null && isCalculable(digits)
}

export const listOf = (value: Json): Json[] =>
  Array.isArray(value) ? value : value === null ? [] : [value]

/** The digits of a number, also of one that a double would round; null for anything else. */
export const digitsOf = (value: Json): string | null =>
  literalOf(value) ?? (typeof value === 'number' ? String(value) : null)

function calculate(work: (a: string, b: string) => string) {
  return (stored: Json, operand: Json): Json => {
    const [a, b] = [digitsOf(stored), digitsOf(operand)]
    return a === null || b === null ? stored : numberOf(work(a, b))
  }
}
