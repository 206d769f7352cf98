import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'

export { LosslessNumber }

/** JSON in the console: a number whose digits a double would change is a `LosslessNumber`. */
export type ExactJson =
  | null
  | boolean
  | number
  | string
  | LosslessNumber
  | ExactJson[]
  | { [key: string]: ExactJson }

/** Parses JSON without changing a digit. Throws `SyntaxError`, also for a duplicate key. */
export const parseExactJson = (text: string): ExactJson => parse(text, null, toNumber) as ExactJson

// Also keeps digits that do not change the value: the 0 of 1.10 may be significant.
const toNumber = (digits: string) =>
  String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits)

/** The JSON text of what `parseExactJson` returned, with every digit. `indent`: spaces a level. */
export const exactJsonText = (value: unknown, indent?: number): string =>
  stringify(value, null, indent) ?? 'null'

/** An object or an array; a `LosslessNumber` is neither. */
export const isNested = (value: unknown): value is ExactJson[] | { [key: string]: ExactJson } =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value)

/** A value for display: text without quotes, numbers with all their digits, the rest as JSON. */
export const plainText = (value: unknown): string =>
  isNested(value) ? exactJsonText(value) : String(value)
