import { AppError } from '@/lib/errors'

const ESCAPABLE = '"\\|,:'

/** Reads the texts of the URL form from left to right; every fault gives its position (from 0). */
export class TextScanner {
  position = 0

  constructor(
    readonly parameter: string,
    readonly text: string,
  ) {}

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  peek(): string | undefined {
    return this.text[this.position]
  }

  /** Consumes `character` if it is next. */
  skip(character: string): boolean {
    if (this.peek() !== character) return false
    this.position++
    return true
  }

  skipSpaces(): void {
    while (this.peek() === ' ') this.position++
  }

  /** A double-quoted text, or everything up to one of `ends`. */
  read(ends: string): { text: string; quoted: boolean } {
    if (this.peek() === '"') return { text: this.readQuoted(), quoted: true }
    const start = this.position
    while (!this.atEnd && !ends.includes(this.peek() as string)) this.position++
    return { text: this.text.slice(start, this.position), quoted: false }
  }

  private readQuoted(): string {
    const start = this.position++
    let value = ''
    for (;;) {
      const character = this.text[this.position]
      if (character === undefined) throw this.fault('this quote is never closed', start)
      this.position++
      if (character === '"') return value
      value += character === '\\' ? this.readEscape() : character
    }
  }

  private readEscape(): string {
    const character = this.peek()
    if (character === undefined || !ESCAPABLE.includes(character))
      throw this.fault('a backslash inside quotes must precede one of " \\ | , :')
    this.position++
    return character
  }

  fault(problem: string, position = this.position): AppError {
    const error = `At position ${position}: ${problem}`
    return new AppError('invalid_input', `${this.parameter}: ${error}`, {
      validations: [{ field: this.parameter, error }],
    })
  }
}
