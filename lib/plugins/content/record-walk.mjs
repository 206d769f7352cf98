import { endOfBlanks, HeldText } from './held-text.mjs'

/** A slice ends after the first record with which it has this many bytes or values. */
const SLICE_BYTES = 256 * 1024
const SLICE_VALUES = 20_000

/** Any longer number, and any with an exponent, may lose digits in a double. */
const SURELY_EXACT_CHARS = 15

const [QUOTE, BACKSLASH, COMMA, MINUS, DOT, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x2e, 0x30, 0x39]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Scans the bytes once, counting records, values and levels, to where slices end. */
export class RecordWalk extends HeldText {
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
        at = this.endOfNumber(at)
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

  // A number that is cut by the end of a piece is not measured, so it counts as inexact.
  endOfNumber(from) {
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
}
