import { bookFault } from './book-fault'
import { bookText } from './xml-text'

/** More than any spreadsheet lets a cell hold, which is 32,767, or 50,000 at Google. */
export const MAX_CELL_CHARS = 256 * 1024

/** The text of a cell or of a shared text, out of its runs, without phonetic hints. */
export class RichText {
  private whole = ''
  private run = ''
  private isRun = false
  private isHint = false

  open(name: string): void {
    if (name === 'rPh') this.isHint = true
    else if (name === 't') this.isRun = !this.isHint
  }

  /** Throws `FileFault` for more than a cell may hold. */
  add(text: string): void {
    if (!this.isRun) return
    this.run += text
    if (this.whole.length + this.run.length > MAX_CELL_CHARS) throw bookFault(TOO_LONG)
  }

  close(name: string): void {
    if (name === 'rPh') this.isHint = false
    if (name !== 't') return
    this.whole += bookText(this.run)
    this.run = ''
    this.isRun = false
  }

  take(): string {
    const text = this.whole
    this.whole = ''
    return text
  }
}

export const TOO_LONG = `a cell holds more than ${MAX_CELL_CHARS.toLocaleString('en')} characters`
