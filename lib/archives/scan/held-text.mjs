import { printParseErrorCode, visit } from 'jsonc-parser'

/**
 * Plain JavaScript, so that a worker thread loads this file as it is, without a bundler.
 *
 * @typedef {object} ScanLimits
 * @property {number} maxRecords of the file
 * @property {number} maxRecordBytes
 * @property {number} maxRecordValues values in one record, those inside of objects and arrays included
 * @property {number} maxNesting levels of objects and arrays
 *
 * @typedef {{ kind: 'syntax', code: string, position: number, line: number, column: number }
 *   | { kind: 'no-object', index: number, inArray: boolean }
 *   | { kind: 'limit', limit: 'records' | 'bytes' | 'values', index: number }} ScanFault
 */

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Why the rest of a file can't be read; thrown by `RecordScanner`. */
export class ScanError extends Error {
  /** @param {ScanFault} fault */
  constructor(fault) {
    super(fault.kind)
    this.fault = fault
  }
}

/** The part of a JSON text that is not yet returned, and its faults. */
export class HeldText {
  /**
   * Without `parses`, items of an array are not parsed: what else is wrong with them is left to the caller, and the
   * places of faults are not known.
   * @param {ScanLimits} limits
   */
  constructor(limits, { parses = true } = {}) {
    this.limits = limits
    this.parses = parses
    /** @type {'start' | 'items' | 'single' | 'after'} */
    this.state = 'start'
    /** The start of the slice. */
    this.held = new GrowingBytes()
    this.at = 0
    this.isInString = false
    this.depth = 0
    this.recordStart = 0
    this.recordValues = 0
    this.sliceValues = 0
    this.sliceRecords = 0
    this.isExact = true
    this.records = 0
    this.hasItems = false
    /** Whether the text is an array; known once it has begun. */
    this.isArray = false
    this.counter = new LineCounter()
  }

  /** The bytes that are not yet returned. */
  get bytes() {
    return this.held.bytes
  }

  decode(end) {
    try {
      return STRICT_UTF8.decode(this.bytes.subarray(0, end))
    } catch {
      const text = this.bytes.toString('utf8', 0, firstInvalidByte(this.bytes.subarray(0, end)))
      throw this.syntaxError(text, text.length, 'InvalidUtf8')
    }
  }

  parse(json, text, tail) {
    try {
      return JSON.parse(json)
    } catch {
      throw this.syntaxFault(text || json, tail) ?? this.syntaxError(text, text.length, 'Unknown')
    }
  }

  /**
   * Throws the first syntax fault of the bytes before `end`; if there is none, that the text is
   * nested too deeply at `tooDeepAt`. `tail` completes the text; null when the text continues.
   */
  failSyntax(end, tail, tooDeepAt) {
    const text = tail === null ? this.bytes.toString('utf8', 0, end) : this.decode(end)
    const fault = this.syntaxFault(text, tail)
    if (fault) throw fault
    const before = this.bytes.toString('utf8', 0, tooDeepAt ?? end)
    throw this.syntaxError(text, before.length, tooDeepAt === undefined ? 'Unknown' : 'TooDeep')
  }

  /** @returns {ScanError | null} */
  syntaxFault(text, tail) {
    const isArray = this.state === 'items'
    // Includes what precedes the slice, so that a missing value is a fault.
    const lead = !isArray ? '' : this.hasItems ? '[0,' : '['
    const found = findSyntaxFault(lead + text + (isArray ? (tail ?? '') : ''), tail === null)
    return found && this.syntaxError(text, found.offset - lead.length, found.code)
  }

  syntaxError(text, offset, code) {
    return new ScanError({ kind: 'syntax', code, ...this.counter.positionIn(text, offset) })
  }

  checkRecordBytes(end) {
    const { maxRecordBytes } = this.limits
    if (end - this.recordStart > maxRecordBytes)
      this.failLimit('bytes', this.recordStart + maxRecordBytes)
  }

  /** Invalid JSON before the limit is reported instead of the limit. */
  failLimit(limit, end) {
    const text = this.bytes.toString('utf8', 0, end)
    const index = this.records + this.recordsInSlice()
    throw this.syntaxFault(text, null) ?? new ScanError({ kind: 'limit', limit, index })
  }

  recordsInSlice() {
    if (this.recordStart === 0) return 0
    try {
      return JSON.parse(`[${this.bytes.toString('utf8', 0, this.recordStart - 1)}]`).length
    } catch {
      return 0
    }
  }

  dropBlanks() {
    const end = endOfBlanks(this.bytes, 0)
    if (end === 0) return
    this.counter.advance(this.bytes.toString('latin1', 0, end))
    this.drop(end)
  }

  drop(count) {
    this.held.drop(count)
    this.at = 0
    this.recordStart = 0
    this.depth = 0
    this.recordValues = 0
  }
}

/** @param {Uint8Array} bytes */
export function endOfBlanks(bytes, from) {
  let at = from
  while (at < bytes.length && isBlank(bytes[at])) at++
  return at
}

/** Bytes appended at the end and dropped from the front, each copied a few times at most. */
class GrowingBytes {
  constructor() {
    this.store = Buffer.alloc(0)
    this.start = 0
    this.end = 0
  }

  get bytes() {
    return this.store.subarray(this.start, this.end)
  }

  /** @param {Uint8Array} piece */
  append(piece) {
    const length = this.end - this.start
    if (this.end + piece.length > this.store.length) {
      // Twice the length, so that a long text is not copied again for each of its pieces.
      const store = Buffer.allocUnsafe(Math.max(length + piece.length, 2 * length))
      store.set(this.bytes)
      this.store = store
      this.start = 0
      this.end = length
    }
    this.store.set(piece, this.end)
    this.end += piece.length
  }

  drop(count) {
    this.start += count
    if (this.start === this.end) this.start = this.end = 0
  }
}

/** Whitespace of JSON. */
const isBlank = (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Counts characters and lines of a text that arrives in pieces. */
class LineCounter {
  constructor() {
    this.position = 0
    this.line = 1
    this.lineStart = 0
  }

  /** @param {string} text */
  advance(text) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.line++
      this.lineStart = this.position + at + 1
    }
    this.position += text.length
  }

  /**
   * The position of a character of the next piece; `line` and `column` count from 1.
   * @param {string} text
   * @param {number} offset
   */
  positionIn(text, offset) {
    const there = Object.assign(new LineCounter(), this)
    there.advance(text.slice(0, offset))
    const { position, line, lineStart } = there
    return { position, line, column: position - lineStart + 1 }
  }
}

/**
 * The first position where `text` stops being JSON. V8 gives no position for some faults. If the text
 * `continues`, its end is no fault. Null when there is none.
 *
 * @param {string} text
 * @param {boolean} continues
 * @returns {{ code: string, offset: number } | null}
 */
function findSyntaxFault(text, continues) {
  let found = null
  try {
    const onError = (error, offset, length) => {
      found = { code: printParseErrorCode(error), offset, end: offset + length }
      throw found
    }
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error !== found) throw error
  }
  if (!found || (continues && found.end >= text.length)) return null
  return { code: found.code, offset: found.offset }
}

/**
 * Index of the first byte that is not UTF-8.
 * @param {Buffer} bytes
 */
function firstInvalidByte(bytes) {
  const again = Buffer.from(bytes.toString('utf8'))
  let at = 0
  while (at < bytes.length && bytes[at] === again[at]) at++
  return at
}
