import { TextScanner } from './input/text-scanner'
import type { SortInput } from './search-input'

/** Parses a list of names such as `a,"b,c"`; throws `invalid_input` with the position of a fault. */
export function parseFieldsText(text: string, parameter = 'fields'): string[] {
  return readList(new TextScanner(parameter, text), readName)
}

/** Parses `sort=a:desc,b`; throws `invalid_input` with the position of a fault. */
export function parseSortText(text: string): SortInput[] {
  return readList(new TextScanner('sort', text), (scanner) => {
    const field = readName(scanner)
    return { field, direction: scanner.skip(':') ? readDirection(scanner) : 'asc' }
  })
}

function readList<T>(scanner: TextScanner, read: (scanner: TextScanner) => T): T[] {
  const items: T[] = []
  if (scanner.text.trim() === '') return items
  do items.push(read(scanner))
  while (scanner.skip(','))
  if (!scanner.atEnd) throw scanner.fault('unexpected text')
  return items
}

function readName(scanner: TextScanner): string {
  scanner.skipSpaces()
  const start = scanner.position
  const { text, quoted } = scanner.read(':,')
  if (text === '') throw scanner.fault('expected a field name', start)
  scanner.skipSpaces()
  return quoted ? text : text.trimEnd()
}

function readDirection(scanner: TextScanner): SortInput['direction'] {
  const start = scanner.position
  const direction = scanner.read(',').text.trim().toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  throw scanner.fault('expected "asc" or "desc"', start)
}
