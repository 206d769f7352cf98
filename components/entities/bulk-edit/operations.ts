import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { Parsed } from '@/components/kinds/value-forms'
import { isAnyJsonKind, isListKind, isNumberKind, isTextKind } from '@/lib/kinds/kind'
import {
  type ExactJson,
  exactJsonText,
  isNested,
  LosslessNumber,
  parseExactJson,
} from '@/lib/values/exact-json'
import { AUDIT_FIELDS, parseText } from '../draft'
import type { ColumnDescription } from '../types'

/** What an edit does to a field, in words. */
export const OPERATIONS = {
  set: 'Set to',
  increase: 'Increase by',
  multiply: 'Multiply by',
  append: 'Add at the end',
  prepend: 'Add at the beginning',
  remove: 'Remove',
  now: 'Set to the time of the edit',
  copy: 'Copy from another field',
  clear: 'Remove the value',
} as const
export type Operation = keyof typeof OPERATIONS

/** What has to be given for an operation; null: nothing. */
export type Operand = 'value' | 'number' | 'text' | 'list' | 'field' | null

const OPERATORS: Record<Exclude<Operation, 'set'>, string> = {
  increase: '$increment',
  multiply: '$multiply',
  append: '$append',
  prepend: '$prepend',
  remove: '$remove',
  now: '$now',
  copy: '$field',
  clear: '$unset',
}

/** The fields that can be edited in many records: no keys, nothing that the server sets or computes. */
export const editableColumns = (columns: readonly ColumnDescription[]): ColumnDescription[] =>
  columns.filter(
    ({ name, key, rules, readOnlyFor, setFor }) =>
      !key &&
      !AUDIT_FIELDS.includes(name) &&
      rules.computed === undefined &&
      !readOnlyFor?.includes('update') &&
      !setFor?.includes('update'),
  )

/** The fields whose values a field can take over. */
export const sourcesOf = (target: ColumnDescription, columns: readonly ColumnDescription[]) =>
  columns.filter(
    ({ name, kind }) =>
      name !== target.name && (isAnyJsonKind(target.kind) || kind === target.kind),
  )

export function operationsOf(
  column: ColumnDescription,
  columns: readonly ColumnDescription[],
): Operation[] {
  const { kind, declared, rules } = column
  const isPlainText = isTextKind(kind) && !rules.enum && !rules.reference
  const isNumber = isNumberKind(kind) && !rules.enum && !rules.reference
  const offered: Record<Operation, boolean> = {
    set: true,
    increase: declared && isNumber,
    multiply: declared && isNumber,
    append: declared && (isPlainText || isListKind(kind)),
    prepend: declared && (isPlainText || isListKind(kind)),
    remove: declared && isListKind(kind),
    now: CONSOLE_KINDS[kind].moment !== null,
    copy: sourcesOf(column, columns).length > 0,
    clear: !rules.required,
  }
  return (Object.keys(OPERATIONS) as Operation[]).filter((operation) => offered[operation])
}

export function operandOf(operation: Operation, { kind }: ColumnDescription): Operand {
  if (operation === 'set') return 'value'
  if (operation === 'copy') return 'field'
  if (operation === 'now' || operation === 'clear') return null
  if (operation === 'increase' || operation === 'multiply') return 'number'
  return isListKind(kind) ? 'list' : 'text'
}

/**
 * What `set` of the API says about the field: a value or an object of one operator. Null while something is missing;
 * an error for what is no value of the field.
 */
export function readChange(
  column: ColumnDescription,
  operation: Operation,
  text: string,
): Parsed | null {
  const operand = operandOf(operation, column)
  if (operand !== null && text === '') return null
  if (operation === 'set') {
    if (text.trim() === '') return null
    const parsed = parseText(text, column)
    return 'error' in parsed ? parsed : { value: asItIs(parsed.value) }
  }
  const read = operand === null ? { value: true } : readOperand(operand, text)
  return read && 'value' in read ? { value: { [OPERATORS[operation]]: read.value } } : read
}

/** An object could be taken for an operator. */
const asItIs = (value: ExactJson): ExactJson =>
  isNested(value) && !Array.isArray(value) ? { $value: value } : value

function readOperand(operand: Operand, text: string): Parsed | null {
  if (operand === 'number') return readNumber(text.trim())
  if (operand !== 'list') return { value: text }
  try {
    const list = parseExactJson(text)
    return exactJsonText(list) === '[]' ? null : { value: list }
  } catch (error) {
    return { error: `Not valid JSON: ${(error as Error).message}` }
  }
}

/** With every digit, as JSON writes numbers. */
function readNumber(text: string): Parsed | null {
  if (text === '' || text === '-') return null
  const [, sign, whole, rest] = /^([+-]?)0*(\d*)((?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(text) ?? []
  if (whole === undefined || !/\d/.test(text)) return { error: 'Enter a number' }
  const digits = `${sign === '-' ? '-' : ''}${whole || '0'}${rest}`
  return {
    value: String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits),
  }
}
