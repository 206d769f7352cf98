import { canonicalNumber } from '@/lib/values/canonical-number'
import { type Cell, LongNumber } from '../source'
import { bookFault } from './book-parts'
import { MAX_CELL_CHARS, RichText, type SharedTexts, TOO_LONG } from './shared-texts'
import { attributeOf, bookText } from './xml-text'

/** Collects a cell out of its tags and texts. */
export class SheetCell {
  private type = ''
  private style = 0
  private value = ''
  private hasValue = false
  private hasFormula = false
  private isInValue = false
  private isInText = false
  /** Below the first tag that is of an extension. */
  private extensionDepth = 0
  private readonly inline = new RichText()

  constructor(private readonly context: CellContext) {}

  begin(attributes: string): void {
    this.type = attributeOf(attributes, 't') ?? 'n'
    this.style = Number(attributeOf(attributes, 's') ?? 0)
    this.value = ''
    this.hasValue = false
    this.hasFormula = false
    this.inline.take()
  }

  open(name: string): void {
    if (name === 'extLst' || this.extensionDepth > 0) this.extensionDepth++
    else if (name === 'v') {
      this.isInValue = true
      this.hasValue = true
    } else if (name === 'f') this.hasFormula = true
    else if (name === 'is') this.isInText = true
    else if (this.isInText) this.inline.open(name)
  }

  text(text: string): void {
    if (this.isInText) this.inline.add(text)
    if (!this.isInValue) return
    this.value += text
    if (this.value.length > MAX_CELL_CHARS) throw bookFault(TOO_LONG)
  }

  close(name: string): void {
    if (this.extensionDepth > 0) this.extensionDepth--
    else if (name === 'v') this.isInValue = false
    else if (name === 'is') this.isInText = false
    else if (this.isInText) this.inline.close(name)
  }

  /** Throws `FileFault` for what no workbook holds. */
  end(): CellValue {
    if (this.type === 'inlineStr') return { value: this.inline.take() || bookText(this.value) }
    const isText = this.type === 'str'
    const value = isText ? this.value : this.value.trim()
    if (this.hasFormula && !(isText ? this.hasValue : value !== ''))
      return { value: null, fault: NO_RESULT }
    if (value === '' && !isText) return { value: null }
    const read = READ_CELL[this.type]
    if (!read) throw bookFault(`a cell has the unknown type "${this.type.slice(0, 20)}"`)
    return read(value, this.context, this)
  }

  get isDate(): boolean {
    return this.context.dateFormats[this.style] === true
  }

  get isFormula(): boolean {
    return this.hasFormula
  }
}

const NO_RESULT =
  'holds a formula without its result; open the workbook in a spreadsheet program and save it'

/** What cells refer to. */
export type CellContext = {
  sharedTexts: SharedTexts | null
  /** Whether a style is a date's. */
  dateFormats: readonly boolean[]
  isFrom1904: boolean
}

/** The value of a cell, or why it has none. */
export type CellValue = { value: Cell; fault?: string }

type CellReader = (
  text: string,
  context: CellContext,
  cell: { isDate: boolean; isFormula: boolean },
) => CellValue

const failed = (error: string): CellValue => ({
  value: error,
  fault: `holds the error ${error.slice(0, 20)} of a formula`,
})

/** Reads the value of a cell by its type. Throws `FileFault` for what no workbook holds. */
const READ_CELL: Record<string, CellReader> = {
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
