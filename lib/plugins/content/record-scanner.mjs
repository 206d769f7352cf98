import { ScanError } from './held-text.mjs'
import { RecordWalk } from './record-walk.mjs'

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

const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BOM = [0xef, 0xbb, 0xbf]

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
