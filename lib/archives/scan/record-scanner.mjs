import { isDouble } from './double-text.mjs'
import { endOfBlanks, HeldText, ScanError } from './held-text.mjs'

/**
 * @typedef {import('./held-text.mjs').ScanFault} ScanFault
 * @typedef {import('./held-text.mjs').ScanLimits} ScanLimits
 *
 * @typedef {object} Slice some whole records
 * @property {string} text a JSON array
 * @property {unknown[]} items the parsed array; empty unless the scanner parses
 * @property {boolean} isExact no number in it can lose digits in a double
 */

export { ScanError }

const BOM = [0xef, 0xbb, 0xbf]

/** A slice ends after the first record with which it has this many bytes or values. */
const SLICE_BYTES = 256 * 1024
const SLICE_VALUES = 20_000

/** Any longer number may lose digits in a double; so may any with an exponent. */
const SURELY_EXACT_CHARS = 15
/** A number that is cut by the end of a piece is read again with the next one, unless it is longer. */
const LONGEST_KEPT = 64

const [QUOTE, BACKSLASH, COMMA, MINUS, DOT, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x2e, 0x30, 0x39]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Scans the bytes once, counting records, values and levels, to where slices end. */
class RecordWalk extends HeldText {
  /**
   * Continues to where a slice ends (at a comma or bracket), or after the single object, or to the end
   * of the bytes (null).
   * @returns {number | null}
   */
  scan() {
    const { bytes, limits } = this
    const isArray = this.state === 'items'
    const maxDepth = isArray ? limits.maxNesting - 1 : limits.maxNesting
    let { at, depth, recordValues } = this
    if (this.isInString) at = this.endOfString(at)
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.endOfString(at + 1)
        continue
      }
      if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (byte !== COMMA && ++depth > maxDepth) this.failSyntax(at + 1, null, at)
        if (byte === COMMA && depth === 0 && isArray) {
          this.recordValues = recordValues
          this.endRecord(at)
          recordValues = 0
          if (at >= SLICE_BYTES || this.sliceValues >= SLICE_VALUES) {
            this.leave(at, depth, recordValues)
            return at
          }
        } else if (++recordValues > limits.maxRecordValues) this.failLimit('values', at + 1)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--depth < 0) {
          if (!isArray || byte === CLOSE_BRACE) this.failSyntax(at + 1, '')
          this.checkRecordBytes(at)
          this.leave(at, 0, recordValues)
          return at
        }
        if (depth === 0 && !isArray) {
          this.checkRecordBytes(at + 1)
          this.leave(at, 0, recordValues)
          return at + 1
        }
      } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        const end = this.endOfNumber(at)
        if (end === bytes.length && end - at < LONGEST_KEPT) break
        at = end
        continue
      }
      at++
    }
    this.leave(at, depth, recordValues)
    return this.endsInBlanks() ? this.recordStart - 1 : null
  }

  /** Whether only blanks follow the last comma: they may be many, so the slice ends there. */
  endsInBlanks() {
    if (this.state !== 'items' || this.recordStart === 0) return false
    return endOfBlanks(this.bytes, this.recordStart) === this.bytes.length
  }

  leave(at, depth, recordValues) {
    this.at = at
    this.depth = depth
    this.recordValues = recordValues
  }

  endRecord(end) {
    this.checkRecordBytes(end)
    this.recordStart = end + 1
    this.sliceValues += this.recordValues + 1
    this.sliceRecords++
  }

  /** The index after the closing quote; if the string continues, one past the bytes. */
  endOfString(from) {
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

  // A long number that is cut by the end of a piece is not measured, so it counts as inexact.
  endOfNumber(from) {
    const { bytes } = this
    let at = from + 1
    for (; at < bytes.length; at++) {
      const byte = bytes[at]
      if ((byte >= ZERO && byte <= NINE) || byte === DOT) continue
      if ((byte | 0x20) !== 0x65) break
      this.isExact = false
    }
    const size = at - from
    const isCut = at === bytes.length
    if (isCut ? size >= LONGEST_KEPT : size > SURELY_EXACT_CHARS && !isDouble(bytes, from, at))
      this.isExact = false
    return at
  }
}

/**
 * Cuts a JSON text that arrives in pieces into slices of whole records: an array's items, or one
 * object. Holds at most a slice, a record or a piece, whichever is largest. Throws `ScanError`
 * for the first fault.
 */
export class RecordScanner extends RecordWalk {
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
    else if (this.state !== 'start') this.checkRecordBytes(this.bytes.length)
  }

  /** @returns {Generator<Slice>} */
  *end() {
    if (this.state === 'after') return
    if (this.state === 'items') this.failSyntax(this.bytes.length, '')
    yield this.#toSingle(this.bytes.length)
  }

  #begin() {
    if (this.counter.position === 0) {
      if (this.bytes.length < BOM.length && BOM.includes(this.bytes[0] ?? 0)) return
      if (BOM.every((byte, index) => this.bytes[index] === byte)) this.drop(BOM.length)
    }
    this.dropBlanks()
    if (this.bytes.length === 0) return
    this.isArray = this.bytes[0] === OPEN_BRACKET
    this.state = this.isArray ? 'items' : 'single'
    if (!this.isArray) return
    this.counter.advance('[')
    this.drop(1)
  }

  *#readSingle() {
    const end = this.scan()
    if (end === null) return
    const slice = this.#toSingle(end)
    this.counter.advance(slice.text.slice(1, -1))
    this.drop(end)
    this.state = 'after'
    yield slice
  }

  /** @returns {Slice} */
  #toSingle(end) {
    const text = this.decode(end)
    const value = this.parse(text, '', '')
    if (typeof value !== 'object' || value === null)
      throw new ScanError({ kind: 'no-object', index: 0, inArray: false })
    return { text: `[${text}]`, items: [value], isExact: this.#isSurelyExact(text) }
  }

  *#readItems() {
    for (;;) {
      if (this.at === 0) this.dropBlanks()
      const end = this.scan()
      if (end === null) return
      const isLast = this.bytes[end] === CLOSE_BRACKET
      const slice = this.#toSlice(end, isLast)
      this.counter.advance(isLast ? ']' : ',')
      this.drop(end + 1)
      if (slice) yield slice
      if (!isLast) continue
      this.state = 'after'
      return
    }
  }

  /** @returns {Slice | null} null for `[]` */
  #toSlice(end, isLast) {
    const text = this.decode(end)
    const tail = isLast ? ']' : ',0]'
    if (text === '') {
      if (!isLast || this.hasItems) this.failSyntax(end, tail)
      return null
    }
    const items = /** @type {unknown[]} */ (this.parses ? this.parse(`[${text}]`, text, tail) : [])
    const odd = items.findIndex((item) => typeof item !== 'object' || !item || Array.isArray(item))
    if (odd >= 0)
      throw new ScanError({ kind: 'no-object', index: this.records + odd, inArray: true })
    const slice = { text: `[${text}]`, items, isExact: this.#isSurelyExact(text) }
    this.records += this.parses ? items.length : this.sliceRecords + Number(isLast)
    if (this.records > this.limits.maxRecords)
      throw new ScanError({ kind: 'limit', limit: 'records', index: this.limits.maxRecords })
    this.hasItems = true
    if (this.parses) this.counter.advance(text)
    this.isExact = true
    this.sliceValues = 0
    this.sliceRecords = 0
    return slice
  }

  // The text itself may contain the mark of an exact number (see `markNumbers`).
  #isSurelyExact(text) {
    return this.isExact && !/\\ud800/i.test(text)
  }

  #requireBlank() {
    this.dropBlanks()
    if (this.bytes.length > 0) throw this.syntaxError('', 0, 'EndOfFileExpected')
  }
}
