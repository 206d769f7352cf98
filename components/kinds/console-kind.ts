import type { OperatorName } from '@/lib/definitions/operators'
import { type ExactJson, exactJsonText, isNested } from '@/lib/values/exact-json'

/** `isNumbering`: it numbers things rather than counts them. Without `timeZone` times are the reader's. */
type Formatting = { isNumbering: boolean; timeZone?: string }

/** The value that a text of a form stands for, or what is wrong with it. */
export type Parsed = { value: ExactJson } | { error: string }

export type ValueForm = 'any' | 'flag' | 'number' | 'moment' | 'time of day' | 'duration'

/** All that the console knows of a kind of fields; where a component is named, a map beside the component has it. */
export type ConsoleKind = {
  // Words

  /** A value in words. Nothing is rounded; what does not fit stays as it is. */
  format: (text: string, how: Formatting) => string
  /** What people may type in a filter, to follow `such as`; null where that goes without saying. */
  example: string | null

  // Filters

  /** The form of a value of a condition, which `filter/value-forms.ts` checks. */
  form: ValueForm
  /** A day or an instant, which may be relative to now, as people write in words: `7 days ago`. */
  moment: 'day' | 'instant' | null
  /** The operators that people reach for first; with `others` false they are all. */
  operators: { first: readonly OperatorName[]; others: boolean }
  /** What operators are called that have another name here. */
  labels: Partial<Record<OperatorName, string>>
  filterInput: 'choice' | 'moment' | 'time of day' | 'text'
  /** What a new condition compares with. */
  firstValue: unknown

  // Cells

  cell: 'boolean' | 'time' | 'nested' | 'text' | 'number' | 'words'
  /** Of a column of the table, in pixels. */
  width: number

  // Forms

  /** The types that are offered for a new property. */
  types: readonly string[]
  input: { type?: string; step?: number; inputMode?: 'decimal'; placeholder?: string }
  /** All values, where they are few. */
  choices: readonly ExactJson[] | null
  toText: (value: ExactJson) => string
  parse: (text: string) => Parsed
}

/** The text of a value in a form; a value of another type than that of its field may be JSON. */
export const textOf = (value: ExactJson): string =>
  isNested(value) ? exactJsonText(value, 2) : String(value)
