import { findOperator, OPERATORS } from '@/lib/definitions/operators'
import { AppError } from '@/lib/errors'
import type { Json } from '@/lib/values/json'
import type { ConditionInput, SortInput } from './search-input'

/**
 * Parses `field:operator:value,field:operator:value` into the conditions of a search object. Only the
 * first two colons of a condition split. A value with a comma (in lists, a `|`) is put in double quotes,
 * with backslash escapes inside; unquoted `null` is null. Lists are `a|b`; `isnull` takes no value.
 * Operators are looked up only for their arity: the resolver refuses unknown ones.
 * Throws `invalid_input` with the position (from 0) of a fault.
 */
export function parseFilterText(text: string): ConditionInput[] {
  const scanner = new TextScanner('filter', text)
  const conditions: ConditionInput[] = []
  if (text.trim() === '') return conditions
  do conditions.push(readCondition(scanner))
  while (scanner.skip(','))
  if (!scanner.atEnd) throw scanner.fault(`unexpected text ${quoteRest(scanner)}`)
  return conditions
}

/** `ends`: what ends it, besides the end of the text. */
export function readCondition(scanner: TextScanner, ends = ','): ConditionInput {
  scanner.skipSpaces()
  const start = scanner.position
  const { text: field } = scanner.read(`:${ends}`)
  if (field === '') throw scanner.fault('expected a field name', start)
  if (!scanner.skip(':')) throw scanner.fault(`expected ":" and an operator after "${field}"`)
  const operatorAt = scanner.position
  const operator = scanner.read(`:${ends}`).text
  if (operator === '') throw scanner.fault('expected an operator', operatorAt)
  const name = findOperator(operator)
  const arity = name ? OPERATORS[name].arity : 'one'
  if (arity === 'none') return readNothing(scanner, field, operator)
  if (!scanner.skip(':')) {
    if (!name) return { field, operator }
    throw scanner.fault(`expected ":" and a value after "${operator}"`)
  }
  return {
    field,
    operator,
    value: arity === 'one' ? readValue(scanner, ends) : readList(scanner, ends),
  }
}

function readNothing(scanner: TextScanner, field: string, operator: string): ConditionInput {
  if (scanner.peek() === ':') throw scanner.fault(`"${operator}" takes no value`)
  return { field, operator }
}

const readValue = (scanner: TextScanner, ends: string): Json => toValue(scanner.read(ends))

function readList(scanner: TextScanner, ends: string): Json[] {
  const values: Json[] = []
  do values.push(toValue(scanner.read(`${ends}|`)))
  while (scanner.skip('|'))
  return values
}

// In quotes, `null` is a text.
const toValue = ({ text, quoted }: { text: string; quoted: boolean }): Json =>
  !quoted && text === 'null' ? null : text

const quoteRest = ({ text, position }: TextScanner) =>
  JSON.stringify(text.slice(position, position + 20))

/** Parses a list of names such as `a,"b,c"`; throws `invalid_input` with the position of a fault. */
export function parseFieldsText(text: string, parameter = 'fields'): string[] {
  return readAll(new TextScanner(parameter, text), (scanner) => readName(scanner))
}

/** Parses `sort=a:desc,b`; throws `invalid_input` with the position of a fault. */
export function parseSortText(text: string): SortInput[] {
  return readAll(new TextScanner('sort', text), (scanner) => readSort(scanner))
}

export function readSort(scanner: TextScanner, ends = ','): SortInput {
  const field = readName(scanner, ends)
  return { field, direction: scanner.skip(':') ? readDirection(scanner, ends) : 'asc' }
}

export function readAll<T>(scanner: TextScanner, read: (scanner: TextScanner) => T): T[] {
  const items: T[] = []
  if (scanner.text.trim() === '') return items
  do items.push(read(scanner))
  while (scanner.skip(','))
  if (!scanner.atEnd) throw scanner.fault('unexpected text')
  return items
}

export function readName(scanner: TextScanner, ends = ','): string {
  scanner.skipSpaces()
  const start = scanner.position
  const { text, quoted } = scanner.read(`:${ends}`)
  if (text === '') throw scanner.fault('expected a field name', start)
  scanner.skipSpaces()
  return quoted ? text : text.trimEnd()
}

function readDirection(scanner: TextScanner, ends: string): SortInput['direction'] {
  const start = scanner.position
  const direction = scanner.read(ends).text.trim().toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  throw scanner.fault('expected "asc" or "desc"', start)
}

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
