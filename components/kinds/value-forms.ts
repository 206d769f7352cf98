import { toIso, toLocal } from '@/components/ui/time-text'
import type { OperatorName } from '@/lib/definitions/operators'
import type { Kind } from '@/lib/kinds/kind'
import {
  type ExactJson,
  exactJsonText,
  isNested,
  parseExactJson,
  plainText,
} from '@/lib/values/exact-json'
import { readLocation } from '@/lib/values/location'
import { isNumericText } from '@/lib/values/numeric-text'
import { isTime, parseDatetime } from '@/lib/values/parse-datetime'
import { parseDuration } from '@/lib/values/parse-duration'
import { relativeTime } from '@/lib/values/relative-time'
import type { ValueForm } from './console-kind'
import { CONSOLE_KINDS } from './kinds'

/** The value that a text of a form stands for, or what is wrong with it. */
export type Parsed = { value: ExactJson } | { error: string }

export type Form = {
  // Filters

  /** The operators that people reach for first; with `others` false they are all. */
  operators: { first: readonly OperatorName[]; others: boolean }
  /** What operators are called that have another name here. */
  labels: Partial<Record<OperatorName, string>>
  /** Whether a value of a condition may be of the form: never stricter than the server, which has the last word. */
  fits: (text: string, value: unknown) => boolean
  /** What people may type, to follow `such as`; null where that goes without saying. */
  example: string | null
  filterInput: 'choice' | 'moment' | 'time of day' | 'text'
  /** What a new condition compares with. */
  firstValue: unknown

  // Forms

  input: { type?: string; step?: number; inputMode?: 'decimal'; placeholder?: string }
  /** All values, where they are few. */
  choices: readonly ExactJson[] | null
  toText: (value: ExactJson) => string
  parse: (text: string) => Parsed
}

/** The text of a value; one of another type than that of its field may be JSON. */
const textOf = (value: ExactJson): string =>
  isNested(value) ? exactJsonText(value, 2) : String(value)

const plain: Form = {
  operators: { first: [], others: true },
  labels: {},
  fits: () => true,
  example: null,
  filterInput: 'text',
  firstValue: '',
  input: {},
  choices: null,
  toText: textOf,
  parse: (value) => ({ value }),
}

const day: Form = {
  ...plain,
  operators: { first: ['gte', 'lte', 'between', 'eq'], others: true },
  labels: { gt: 'is after', gte: 'is at or after', lt: 'is before', lte: 'is at or before' },
  fits: (typed, value) => typeof value !== 'string' || isMoment(typed),
  example: '2026-01-31 or 7 days ago',
  filterInput: 'moment',
  input: { type: 'date' },
}

/** Of an object or a list, whose values are that, or texts from before. */
const nested: Form = { ...plain, parse: parseJson }

const DURATION = 'P1DT2H30M'
const LOCATION = '48.8584, 2.2945'

/** How values are typed in filters and forms. Apart from the kinds of fields, since a table needs those and none of this. */
const VALUE_FORMS: Record<ValueForm, Form> = {
  text: {
    ...plain,
    operators: {
      first: ['icontains', 'eq', 'ne', 'istarts', 'iends', 'in', 'nin'],
      others: true,
    },
  },
  json: { ...nested, toText: (value) => exactJsonText(value, 2) },
  object: { ...nested, operators: { first: ['isnull', 'notnull', 'icontains'], others: true } },
  list: {
    ...nested,
    operators: { first: ['contains', 'isnull', 'notnull'], others: true },
    labels: { contains: 'has' },
  },
  flag: {
    ...plain,
    operators: { first: ['eq', 'ne', 'isnull', 'notnull'], others: false },
    fits: (typed) => /^(true|false)$/i.test(typed),
    filterInput: 'choice',
    firstValue: true,
    choices: [true, false],
    parse: (typed) => ({ value: typed === 'true' }),
  },
  number: { ...plain, fits: isNumericText, input: { inputMode: 'decimal' }, parse: parseNumber },
  day,
  instant: {
    ...day,
    operators: { first: ['gte', 'lte', 'between'], others: true },
    example: '2026-01-31 10:00 or 7 days ago',
    input: { type: 'datetime-local', step: 1 },
    toText: toLocal,
    parse: (typed) => ({ value: toIso(typed) }),
  },
  'time of day': {
    ...day,
    operators: plain.operators,
    fits: isTime,
    example: '10:30',
    filterInput: 'time of day',
    input: { type: 'time', step: 1 },
  },
  duration: {
    ...plain,
    labels: {
      gt: 'is longer than',
      gte: 'is at least',
      lt: 'is shorter than',
      lte: 'is at most',
    },
    fits: isDuration,
    example: DURATION,
    input: { placeholder: DURATION },
    parse: (typed) =>
      isDuration(typed.trim())
        ? { value: typed.trim() }
        : { error: `Enter a duration, such as ${DURATION}` },
  },
  location: {
    ...plain,
    operators: { first: ['near', 'within', 'isnull', 'notnull'], others: true },
    fits: (typed, value) => isNested(value) || readLocation(typed) !== null,
    example: LOCATION,
    input: { placeholder: LOCATION },
    toText: (value) => CONSOLE_KINDS.location.format(plainText(value), { isNumbering: false }),
    parse: (typed) => {
      const value = readLocation(typed)
      return value
        ? { value }
        : { error: `Enter latitude and longitude, such as ${LOCATION}: at most 90 and 180 degrees` }
    },
  },
}

/** How values of fields of a kind are typed. */
export const formOf = (kind: Kind): Form => VALUE_FORMS[CONSOLE_KINDS[kind].form]

/** How the fault of a text that should be JSON begins. */
export const NOT_JSON = 'Not valid JSON'

function parseJson(typed: string): Parsed {
  try {
    return { value: parseExactJson(typed) }
  } catch (error) {
    return { error: `${NOT_JSON}: ${(error as Error).message}` }
  }
}

// Digits that a double would lose go as text; the server reads both.
function parseNumber(typed: string): Parsed {
  const digits = typed.trim()
  const number = Number(digits)
  if (Number.isNaN(number)) return { error: 'Enter a number' }
  return { value: String(number) === digits ? number : digits }
}

function isDuration(typed: string): boolean {
  return parseDuration(typed) !== null
}

function isMoment(typed: string): boolean {
  if (typed.startsWith('$')) return relativeTime(typed) !== null
  const isDate = (one: string) => parseDatetime(one) !== null
  return (
    /^-?\d{9,15}$/.test(typed) || isDate(typed.replace(/ (\d\d:?\d\d)$/, '+$1')) || isDate(typed)
  )
}
