import { canonicalNumber } from '@/lib/values/canonical-number'
import { type Cell, LongNumber } from '../source'
import { bookFault } from './book-fault'
import type { SharedTexts } from './shared-texts'
import { bookText } from './xml-text'

/** What cells refer to. */
export type CellContext = {
  sharedTexts: SharedTexts | null
  /** Whether a style is a date's. */
  dateFormats: readonly boolean[]
  isFrom1904: boolean
}

/** The value of a cell, or why it has none. */
export type CellValue = { value: Cell; fault?: string }

type Read = (
  text: string,
  context: CellContext,
  cell: { isDate: boolean; isFormula: boolean },
) => CellValue

const failed = (error: string): CellValue => ({
  value: error,
  fault: `holds the error ${error.slice(0, 20)} of a formula`,
})

/** Reads the value of a cell by its type. Throws `FileFault` for what no workbook holds. */
export const READ_CELL: Record<string, Read> = {
  n: (text, { isFrom1904 }, { isDate }) => {
    const number = NUMBER.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(number)) return { value: text, fault: NO_NUMBER }
    return { value: isDate ? dateOf(number, isFrom1904) : exactly(number, text) }
  },
  s: (text, { sharedTexts }) => {
    const value = /^\d{1,9}$/.test(text) ? sharedTexts?.get(Number(text)) : undefined
    if (value === undefined) throw bookFault('a cell refers to a text that is not there')
    return { value }
  },
  str: (text, _, { isFormula }) => {
    const value = bookText(text)
    return isFormula && ERROR.test(value) ? failed(value) : { value }
  },
  b: (text) =>
    BOOLEANS.has(text)
      ? { value: BOOLEANS.get(text) === true }
      : { value: text, fault: NO_BOOLEAN },
  e: failed,
  d: (text) => ({ value: momentOf(text) }),
}

const BOOLEANS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,4})?$/
/** ISO 8601 without a zone, which sheets do not have, to what a `Date` holds. */
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/
const NO_NUMBER = 'holds a number that is none'
const NO_BOOLEAN = 'holds a boolean that is none'

/** From here on a number is shown with an exponent, here and in spreadsheets. */
const MAX_SPELT = 1e21

const exactly = (number: number, text: string): Cell =>
  Math.abs(number) > Number.MAX_SAFE_INTEGER && Math.abs(number) < MAX_SPELT
    ? new LongNumber(canonicalNumber(text))
    : number

/** What a spreadsheet shows where a formula failed. */
const ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

function momentOf(text: string): Cell {
  const moment = ISO_MOMENT.test(text) ? new Date(text.replace(/Z?$/, 'Z')) : null
  return moment && !Number.isNaN(moment.getTime()) ? moment : text
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Spreadsheets count from 1900 as if that year had a 29 February, their day 60. */
const NO_DAY = 60

function dateOf(days: number, isFrom1904: boolean): Date {
  const begin = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < NO_DAY ? 31 : 30)
  return new Date(begin + Math.round(days * DAY_MS))
}
