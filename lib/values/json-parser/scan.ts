import { syntaxError, TooManyValuesError } from './syntax-error'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfNumber,
  endOfString,
  isDigit,
  isExact,
  isLetter,
  isSpace,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
} from './tokens'

/**
 * Levels of objects and arrays that a text may nest: code that walks through values is recursive.
 */
export const MAX_NESTING = 500

export type JsonLimits = {
  /** Values, at any depth, that the text may hold; names of properties are none. */
  maxValues?: number
  /** Properties that one object may have. */
  maxProperties?: number
}

/** Characters between two yields. */
const STEP_CHARS = 128 * 1024

/** What the grammar allows next, and the error message when the text ends there. */
const EXPECTED = {
  value: 'Expected a value',
  firstItem: 'Expected a closing bracket',
  firstKey: 'Expected a closing brace',
  key: 'Expected a property name in double quotes',
  colon: 'Expected a colon',
  next: '',
  end: '',
}

/**
 * Checks a text by the grammar of JSON (RFC 8259) up to its first error. Yields now and then;
 * returns the positions of the numbers whose digits a double may not preserve, as flat pairs `from,
 * to`. Throws `JsonSyntaxError`, also for more than `MAX_NESTING` levels, and `TooManyValuesError`.
 */
export function* scanJson(text: string, limits: JsonLimits = {}): Generator<undefined, number[]> {
  const scanner = new Scanner(text, limits)
  for (let pause = STEP_CHARS; scanner.at < text.length; ) {
    scanner.step()
    if (scanner.at < pause) continue
    pause = scanner.at + STEP_CHARS
    yield
  }
  return scanner.end()
}

class Scanner {
  at = 0
  readonly #opened = new Uint8Array(MAX_NESTING + 1)
  readonly #properties = new Uint32Array(MAX_NESTING + 1)
  readonly #inexact: number[] = []
  #depth = 0
  #values = 0
  #expected: keyof typeof EXPECTED = 'value'

  constructor(
    readonly text: string,
    readonly limits: JsonLimits,
  ) {}

  step(): void {
    const code = this.text.charCodeAt(this.at)
    if (isSpace(code)) this.at++
    else if (this.#expected === 'value') this.#value(code)
    else if (this.#expected === 'next') this.#next(code)
    else if (this.#expected === 'colon') this.#colon(code)
    else if (this.#expected === 'end') throw this.#fault('Expected the end of the text')
    else if (this.#expected === 'firstItem' && code === CLOSE_BRACKET) this.#close()
    else if (this.#expected === 'firstItem') this.#value(code)
    else if (this.#expected === 'firstKey' && code === CLOSE_BRACE) this.#close()
    else this.#key(code)
  }

  end(): number[] {
    const missing = this.#inObject() ? 'Expected a closing brace' : 'Expected a closing bracket'
    if (this.#expected !== 'end') throw this.#fault(EXPECTED[this.#expected] || missing)
    return this.#inexact
  }

  #value(code: number): void {
    const { maxValues = Number.POSITIVE_INFINITY } = this.limits
    if (++this.#values > maxValues) throw new TooManyValuesError(maxValues, 'values')
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      this.#open(code)
      return
    }
    if (code === QUOTE) this.at = endOfString(this.text, this.at)
    else if (isDigit(code) || code === MINUS) this.#number()
    else this.#word(code)
    this.#valueEnds()
  }

  #number(): void {
    const end = endOfNumber(this.text, this.at)
    if (!isExact(this.text, this.at, end)) this.#inexact.push(this.at, end)
    this.at = end
  }

  #word(code: number): void {
    const word = ['true', 'false', 'null'].find((known) => this.text.startsWith(known, this.at))
    if (!word) throw this.#fault(isLetter(code) ? 'Unexpected word' : 'Expected a value')
    this.at += word.length
  }

  #open(code: number): void {
    if (++this.#depth > MAX_NESTING) throw this.#fault(`Nested deeper than ${MAX_NESTING} levels`)
    this.#opened[this.#depth] = code
    this.#properties[this.#depth] = 0
    this.#expected = code === OPEN_BRACE ? 'firstKey' : 'firstItem'
    this.at++
  }

  #close(): void {
    this.#depth--
    this.at++
    this.#valueEnds()
  }

  #valueEnds(): void {
    this.#expected = this.#depth > 0 ? 'next' : 'end'
  }

  #next(code: number): void {
    if (code === (this.#inObject() ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.#close()
      return
    }
    if (code !== COMMA) throw this.#fault('Expected a comma')
    this.#expected = this.#inObject() ? 'key' : 'value'
    this.at++
  }

  #key(code: number): void {
    if (code !== QUOTE) throw this.#fault(isLetter(code) ? 'Unexpected word' : EXPECTED.key)
    const { maxProperties = Number.POSITIVE_INFINITY } = this.limits
    const count = (this.#properties[this.#depth] ?? 0) + 1
    this.#properties[this.#depth] = count
    if (count > maxProperties)
      throw new TooManyValuesError(maxProperties, 'properties in one object')
    this.at = endOfString(this.text, this.at)
    this.#expected = 'colon'
  }

  #colon(code: number): void {
    if (code !== COLON) throw this.#fault(EXPECTED.colon)
    this.#expected = 'value'
    this.at++
  }

  #inObject(): boolean {
    return this.#opened[this.#depth] === OPEN_BRACE
  }

  #fault(reason: string) {
    const isComment =
      this.text.charCodeAt(this.at) === SLASH && /[/*]/.test(this.text[this.at + 1] ?? '')
    return syntaxError(this.text, this.at, isComment ? 'Comments are not allowed' : reason)
  }
}
