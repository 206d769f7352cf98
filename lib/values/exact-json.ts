import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'

export { LosslessNumber }

/** JSON as the console holds it: a number whose digits a double would change is a `LosslessNumber`. */
export type ExactJson =
  | null
  | boolean
  | number
  | string
  | LosslessNumber
  | ExactJson[]
  | { [key: string]: ExactJson }

/** Parses JSON without changing a digit. Throws `SyntaxError`, also for a key that is given twice. */
export const parseExactJson = (text: string): ExactJson => parse(text, null, toNumber) as ExactJson

// Also what is merely spelt otherwise stays as it is: the 0 of 1.10 may mean something to people.
const toNumber = (digits: string) =>
  String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits)

/** The JSON text of what `parseExactJson` returned, with every digit. `indent`: spaces a level. */
export const exactJsonText = (value: unknown, indent?: number): string =>
  stringify(value, null, indent) ?? 'null'

/** An object or an array; numbers of many digits are neither. */
export const isNested = (value: unknown): value is ExactJson[] | { [key: string]: ExactJson } =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value)

/** A value as people read it: text without quotes, numbers with all their digits, the rest as JSON. */
export const plainText = (value: unknown): string =>
  isNested(value) ? exactJsonText(value) : String(value)
