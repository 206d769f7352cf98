import { GrowingBytes } from './growing-bytes.mjs'
import { isBlank, LineCounter } from './place.mjs'
import { findSyntaxFault, firstInvalidByte } from './syntax-fault.mjs'

/**
 * Plain JavaScript, so that a worker thread loads this file as it is, without a bundler.
 *
 * @typedef {object} ScanLimits
 * @property {number} maxRecords of the file
 * @property {number} maxRecordBytes
 * @property {number} maxRecordValues values in one record, those inside of objects and arrays included
 * @property {number} maxNesting levels of objects and arrays
 *
 * @typedef {object} Slice some whole records
 * @property {string} text a JSON array
 * @property {unknown[]} items the parsed array
 * @property {boolean} isExact no number in it can lose digits in a double
 *
 * @typedef {{ kind: 'syntax', code: string, position: number, line: number, column: number }
 *   | { kind: 'no-object', index: number, inArray: boolean }
 *   | { kind: 'limit', limit: 'records' | 'bytes' | 'values', index: number }} ScanFault
 */

/** A slice ends after the first record that makes it this long, or this rich in values. */
const SLICE_BYTES = 256 * 1024
const SLICE_VALUES = 20_000

/** Any longer number, and any with an exponent, may lose digits in a double. */
const SURELY_EXACT_CHARS = 15

const [QUOTE, BACKSLASH, COMMA, MINUS, DOT, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x2e, 0x30, 0x39]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]
const BOM = [0xef, 0xbb, 0xbf]
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Why a file can't be read on; thrown by `RecordScanner`. */
export class ScanError extends Error {
  /** @param {ScanFault} fault */
  constructor(fault) {
    super(fault.kind)
    this.fault = fault
  }
}

/**
 * Cuts a JSON text that comes in pieces into slices of whole records: an array's items, or one
 * object. Holds no more than a slice, a record or a piece, whichever is largest. Throws `ScanError`
 * for the first fault.
 */
export class RecordScanner {
  /** @param {ScanLimits} limits */
  constructor(limits) {
    this.limits = limits
    /** @type {'start' | 'items' | 'single' | 'after'} */
    this.state = 'start'
    /** Begins where the slice does. */
    this.held = new GrowingBytes()
    this.at = 0
    this.isInString = false
    this.depth = 0
    this.recordStart = 0
    this.recordValues = 0
    this.sliceValues = 0
    this.isExact = true
    this.records = 0
    this.hasItems = false
    /** Whether the text is an array; known when it has begun. */
    this.isArray = false
    this.counter = new LineCounter()
  }

  /**
   * @param {Uint8Array} piece
   * @returns {Generator<Slice>}
   */
  *push(piece) {
    this.held.append(piece)
    if (this.state === 'start') this.#begin()
    if (this.state === 'items') yield* this.#readItems()
    else if (this.state === 'single') yield* this.#readSingle()
    if (this.state === 'after') this.#requireBlank()
    else if (this.state !== 'start') this.#checkRecordBytes(this.bytes.length)
  }

  /** @returns {Generator<Slice>} */
  *end() {
    if (this.state === 'after') return
    if (this.state === 'items') this.#failSyntax(this.bytes.length, '')
    yield this.#toSingle(this.bytes.length)
  }

  /** What is not yet given out. */
  get bytes() {
    return this.held.bytes
  }

  #begin() {
    if (this.counter.position === 0) {
      if (this.bytes.length < BOM.length && BOM.includes(this.bytes[0] ?? 0)) return
      if (BOM.every((byte, index) => this.bytes[index] === byte)) this.#drop(BOM.length)
    }
    this.#dropBlanks()
    if (this.bytes.length === 0) return
    this.isArray = this.bytes[0] === OPEN_BRACKET
    this.state = this.isArray ? 'items' : 'single'
    if (!this.isArray) return
    this.counter.advance('[')
    this.#drop(1)
  }

  *#readSingle() {
    const end = this.#scan()
    if (end === null) return
    const slice = this.#toSingle(end)
    this.counter.advance(slice.text.slice(1, -1))
    this.#drop(end)
    this.state = 'after'
    yield slice
  }

  /** @returns {Slice} */
  #toSingle(end) {
    const text = this.#decode(end)
    const value = this.#parse(text, '', '')
    if (typeof value !== 'object' || value === null)
      throw new ScanError({ kind: 'no-object', index: 0, inArray: false })
    return { text: `[${text}]`, items: [value], isExact: this.#isSurelyExact(text) }
  }

  *#readItems() {
    for (;;) {
      if (this.at === 0) this.#dropBlanks()
      const end = this.#scan()
      if (end === null) return
      const isLast = this.bytes[end] === CLOSE_BRACKET
      const slice = this.#toSlice(end, isLast)
      this.counter.advance(isLast ? ']' : ',')
      this.#drop(end + 1)
      if (slice) yield slice
      if (!isLast) continue
      this.state = 'after'
      return
    }
  }

  /**
   * Goes on to where a slice ends (at a comma or bracket), or after the single object, or to the end
   * of the bytes (null).
   * @returns {number | null}
   */
  #scan() {
    const { bytes, limits } = this
    const isArray = this.state === 'items'
    const maxDepth = isArray ? limits.maxNesting - 1 : limits.maxNesting
    let { at, depth, recordValues } = this
    if (this.isInString) at = this.#endOfString(at)
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.#endOfString(at + 1)
        continue
      }
      if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (byte !== COMMA && ++depth > maxDepth) this.#failSyntax(at + 1, null, at)
        if (byte === COMMA && depth === 0 && isArray) {
          this.recordValues = recordValues
          this.#endRecord(at)
          recordValues = 0
          if (at >= SLICE_BYTES || this.sliceValues >= SLICE_VALUES) {
            this.#leave(at, depth, recordValues)
            return at
          }
        } else if (++recordValues > limits.maxRecordValues) this.#failLimit('values', at + 1)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--depth < 0) {
          if (!isArray || byte === CLOSE_BRACE) this.#failSyntax(at + 1, '')
          this.#checkRecordBytes(at)
          this.#leave(at, 0, recordValues)
          return at
        }
        if (depth === 0 && !isArray) {
          this.#checkRecordBytes(at + 1)
          this.#leave(at, 0, recordValues)
          return at + 1
        }
      } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        at = this.#endOfNumber(at)
        continue
      }
      at++
    }
    this.#leave(at, depth, recordValues)
    return this.#endsInBlanks() ? this.recordStart - 1 : null
  }

  /** Whether blanks are all that follows the last comma: they may be many, so the slice ends there. */
  #endsInBlanks() {
    if (this.state !== 'items' || this.recordStart === 0) return false
    return endOfBlanks(this.bytes, this.recordStart) === this.bytes.length
  }

  #leave(at, depth, recordValues) {
    this.at = at
    this.depth = depth
    this.recordValues = recordValues
  }

  #endRecord(end) {
    this.#checkRecordBytes(end)
    this.recordStart = end + 1
    this.sliceValues += this.recordValues + 1
  }

  /** The index after the closing quote; where the string goes on, one past the bytes that it takes. */
  #endOfString(from) {
    const { bytes } = this
    let at = from
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) {
        this.isInString = false
        return at + 1
      }
    }
    this.isInString = true
    return at
  }

  // A number that is cut by the end of a piece is not measured, so it counts as inexact.
  #endOfNumber(from) {
    const { bytes } = this
    let at = from + 1
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if ((byte >= ZERO && byte <= NINE) || byte === DOT) continue
      if ((byte | 0x20) !== 0x65) break
      this.isExact = false
    }
    if (at - from > SURELY_EXACT_CHARS || at === bytes.length) this.isExact = false
    return at
  }

  /** @returns {Slice | null} null for the nothing in `[]` */
  #toSlice(end, isLast) {
    const text = this.#decode(end)
    const tail = isLast ? ']' : ',0]'
    if (text === '') {
      if (!isLast || this.hasItems) this.#failSyntax(end, tail)
      return null
    }
    const items = /** @type {unknown[]} */ (this.#parse(`[${text}]`, text, tail))
    const odd = items.findIndex((item) => typeof item !== 'object' || !item || Array.isArray(item))
    if (odd >= 0)
      throw new ScanError({ kind: 'no-object', index: this.records + odd, inArray: true })
    const slice = { text: `[${text}]`, items, isExact: this.#isSurelyExact(text) }
    this.records += items.length
    if (this.records > this.limits.maxRecords)
      throw new ScanError({ kind: 'limit', limit: 'records', index: this.limits.maxRecords })
    this.hasItems = true
    this.counter.advance(text)
    this.isExact = true
    this.sliceValues = 0
    return slice
  }

  // Somebody may have written the mark of an exact number (see `markNumbers`).
  #isSurelyExact(text) {
    return this.isExact && !/\\ud800/i.test(text)
  }

  #decode(end) {
    try {
      return STRICT_UTF8.decode(this.bytes.subarray(0, end))
    } catch {
      const text = this.bytes.toString('utf8', 0, firstInvalidByte(this.bytes.subarray(0, end)))
      throw this.#syntaxError(text, text.length, 'InvalidUtf8')
    }
  }

  #parse(json, text, tail) {
    try {
      return JSON.parse(json)
    } catch {
      throw this.#syntaxFault(text || json, tail) ?? this.#syntaxError(text, text.length, 'Unknown')
    }
  }

  /**
   * Throws the first syntax fault of the bytes before `end`; where there is none, that the text is
   * nested too deeply at `tooDeepAt`. `tail` completes the text; null when the text goes on.
   */
  #failSyntax(end, tail, tooDeepAt) {
    const text = tail === null ? this.bytes.toString('utf8', 0, end) : this.#decode(end)
    const fault = this.#syntaxFault(text, tail)
    if (fault) throw fault
    const before = this.bytes.toString('utf8', 0, tooDeepAt ?? end)
    throw this.#syntaxError(text, before.length, tooDeepAt === undefined ? 'Unknown' : 'TooDeep')
  }

  /** @returns {ScanError | null} */
  #syntaxFault(text, tail) {
    const isArray = this.state === 'items'
    // What stands before the slice, so that nothing at all where a value is missing is a fault.
    const lead = !isArray ? '' : this.hasItems ? '[0,' : '['
    const found = findSyntaxFault(lead + text + (isArray ? (tail ?? '') : ''), tail === null)
    return found && this.#syntaxError(text, found.offset - lead.length, found.code)
  }

  #syntaxError(text, offset, code) {
    return new ScanError({ kind: 'syntax', code, ...this.counter.placeIn(text, offset) })
  }

  #checkRecordBytes(end) {
    const { maxRecordBytes } = this.limits
    if (end - this.recordStart > maxRecordBytes)
      this.#failLimit('bytes', this.recordStart + maxRecordBytes)
  }

  /** A text that is no JSON before the limit is reached is not well described by the limit. */
  #failLimit(limit, end) {
    const text = this.bytes.toString('utf8', 0, end)
    const index = this.records + this.#recordsInSlice()
    throw this.#syntaxFault(text, null) ?? new ScanError({ kind: 'limit', limit, index })
  }

  #recordsInSlice() {
    if (this.recordStart === 0) return 0
    try {
      return JSON.parse(`[${this.bytes.toString('utf8', 0, this.recordStart - 1)}]`).length
    } catch {
      return 0
    }
  }

  #requireBlank() {
    this.#dropBlanks()
    if (this.bytes.length > 0) throw this.#syntaxError('', 0, 'EndOfFileExpected')
  }

  #dropBlanks() {
    const end = endOfBlanks(this.bytes, 0)
    if (end === 0) return
    this.counter.advance(this.bytes.toString('latin1', 0, end))
    this.#drop(end)
  }

  #drop(count) {
    this.held.drop(count)
    this.at = 0
    this.recordStart = 0
    this.depth = 0
    this.recordValues = 0
  }
}

/** @param {Uint8Array} bytes */
function endOfBlanks(bytes, from) {
  let at = from
  while (at < bytes.length && isBlank(bytes[at])) at++
  return at
}
