import { textPattern } from '@/lib/definitions/text-pattern'

/** A short text that the pattern (of RE2) matches, or null where none can be told. */
export function exampleOfPattern(pattern: string): string | null {
  try {
    const text = new Reader(pattern).alternatives()
    const { maxChars, isFoundIn } = textPattern(pattern)
    return text.length <= maxChars && isFoundIn(text) ? text : null
  } catch {
    return null
  }
}

const CLASSES: Record<string, string> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' }
const CONTROLS: Record<string, string> = { t: '\t', n: '\n', r: '\r' }

/** Takes of everything the first and the fewest. What it does not know it takes by its letter. */
class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  alternatives(): string {
    const first = this.sequence()
    while (this.skip('|')) this.sequence()
    return first
  }

  private sequence(): string {
    let made = ''
    while (this.at < this.text.length && !'|)'.includes(this.text[this.at] as string)) {
      const atom = this.atom()
      made += atom.repeat(this.least())
    }
    return made
  }

  private atom(): string {
    if (this.skip('(')) return this.group()
    if (this.skip('[')) return this.set()
    if (this.skip('\\')) return this.escape()
    const letter = this.next()
    return letter === '^' || letter === '$' ? '' : letter === '.' ? 'a' : letter
  }

  private group(): string {
    if (this.skip('?') && !this.skip(':')) throw new Error('a group with a name or flags')
    const made = this.alternatives()
    if (!this.skip(')')) throw new Error('a group without an end')
    return made
  }

  private set(): string {
    if (this.skip('^')) throw new Error('a set of what is not wanted')
    const first = this.skip('\\') ? this.escape() : this.next()
    while (!this.skip(']')) if (this.next() === '\\') this.next()
    return first
  }

  private escape(): string {
    const letter = this.next()
    if (letter === 'b' || letter === 'A' || letter === 'z') return ''
    return CLASSES[letter] ?? CONTROLS[letter] ?? letter
  }

  /** How often at least what stands before a quantifier is wanted. */
  private least(): number {
    const counted = /^\{(\d+)(,\d*)?\}/.exec(this.text.slice(this.at))
    const sign = counted?.[0] ?? this.text[this.at] ?? ''
    if (!counted && !'?*+'.includes(sign || ' ')) return 1
    this.at += sign.length
    this.skip('?')
    return counted ? Number(counted[1]) : sign === '+' ? 1 : 0
  }

  private skip(letter: string): boolean {
    if (this.text[this.at] !== letter) return false
    this.at++
    return true
  }

  private next(): string {
    const letter = this.text[this.at++]
    if (letter === undefined) throw new Error('a pattern without an end')
    return letter
  }
}
