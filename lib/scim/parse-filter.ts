import { scimError } from './scim-error'

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]
export type FilterValue = string | number | boolean | null

export type Filter =
  | { op: 'and' | 'or'; of: Filter[] }
  | { op: 'not'; of: Filter }
  | { op: 'pr'; path: string }
  | { op: Comparison; path: string; value: FilterValue }
  /** `emails[type eq "work"]`: one value that meets all of it. */
  | { op: 'value'; path: string; of: Filter }

const MAX_LENGTH = 4_000
const MAX_DEPTH = 20
const MAX_COMPARISONS = 100

/** Reads a filter (RFC 7644, 3.4.2.2). Throws `invalidFilter` for another text, and for one that is too long or too deep. */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`is longer than ${MAX_LENGTH} characters`)
  const reader = new Reader(split(text))
  const filter = readAny(reader, 0)
  if (reader.peek() !== undefined) throw invalid(`has more after its end: ${reader.shown()}`)
  return filter
}

/** No two of its alternatives match the same text, so that it takes one pass. */
const TOKEN = /\s+|([()[\]])|("(?:[^"\\]|\\[\s\S])*")|([^\s()[\]"]+)/y

function split(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw invalid(`cannot be read from position ${at} on`)
    const token = found[1] ?? found[2] ?? found[3]
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

class Reader {
  private at = 0
  private comparisons = 0

  constructor(private readonly tokens: readonly string[]) {}

  peek = (): string | undefined => this.tokens[this.at]
  take = (): string | undefined => this.tokens[this.at++]
  shown = () => this.peek()?.slice(0, 50) ?? 'nothing'

  isNext = (word: string): boolean => this.peek()?.toLowerCase() === word

  expect(token: string): void {
    if (!this.isNext(token)) throw invalid(`needs "${token}" where it has ${this.shown()}`)
    this.at++
  }

  countComparison(): void {
    if (++this.comparisons > MAX_COMPARISONS)
      throw invalid(`has more than ${MAX_COMPARISONS} comparisons`)
  }
}

function readAny(reader: Reader, depth: number): Filter {
  if (depth > MAX_DEPTH) throw invalid(`is nested more than ${MAX_DEPTH} deep`)
  return readJoined(reader, 'or', () => readJoined(reader, 'and', () => readTerm(reader, depth)))
}

function readJoined(reader: Reader, op: 'and' | 'or', read: () => Filter): Filter {
  const first = read()
  const of = [first]
  while (reader.isNext(op)) {
    reader.take()
    of.push(read())
  }
  return of.length === 1 ? first : { op, of }
}

function readTerm(reader: Reader, depth: number): Filter {
  if (reader.isNext('not')) {
    reader.take()
    return { op: 'not', of: readGroup(reader, depth, '(', ')') }
  }
  if (reader.isNext('(')) return readGroup(reader, depth, '(', ')')
  const path = reader.take()
  if (path === undefined || !/^[a-z][\w:.$-]*$/i.test(path))
    throw invalid(`needs the name of an attribute where it has ${path?.slice(0, 50) ?? 'nothing'}`)
  if (reader.isNext('[')) return { op: 'value', path, of: readGroup(reader, depth, '[', ']') }
  return readComparison(reader, path)
}

function readGroup(reader: Reader, depth: number, open: string, close: string): Filter {
  reader.expect(open)
  const filter = readAny(reader, depth + 1)
  reader.expect(close)
  return filter
}

function readComparison(reader: Reader, path: string): Filter {
  reader.countComparison()
  const word = reader.take()?.toLowerCase() ?? 'nothing'
  if (word === 'pr') return { op: 'pr', path }
  const op = COMPARISONS.find((known) => known === word)
  if (!op) throw invalid(`has no operator "${word.slice(0, 50)}"`)
  return { op, path, value: readLiteral(reader.take()) }
}

function readLiteral(token: string | undefined): FilterValue {
  const isWord = /^(true|false|null)$/i.test(token ?? '')
  try {
    const value: unknown = JSON.parse((isWord ? token?.toLowerCase() : token) ?? '')
    if (value === null || typeof value !== 'object') return value as FilterValue
  } catch {
    // refused below
  }
  throw invalid(`compares with ${token?.slice(0, 50) ?? 'nothing'}, which is no value`)
}

const invalid = (why: string) => scimError('invalidFilter', `The filter ${why}`)
