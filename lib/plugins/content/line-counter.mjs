/** Whitespace of JSON. */
export const isBlank = (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Counts characters and lines of a text that arrives in pieces. */
export class LineCounter {
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
