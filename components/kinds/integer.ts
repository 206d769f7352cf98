import { groupDigits } from '@/components/ui/number'
import { type ConsoleKind, type Parsed, textOf } from './console-kind'

export const integer: ConsoleKind = {
  format: (text, { isNumbering }) => (isNumbering ? text : groupDigits(text)),
  example: null,

  form: 'number',
  moment: null,
  operators: { first: [], others: true },
  labels: {},
  filterInput: 'text',
  firstValue: '',

  cell: 'number',
  width: 112,

  types: ['integer', 'bigint'],
  input: { inputMode: 'decimal' },
  choices: null,
  toText: textOf,
  parse: parseNumber,
}

// Digits that a double would lose go as text; the server reads both.
function parseNumber(typed: string): Parsed {
  const text = typed.trim()
  const number = Number(text)
  if (Number.isNaN(number)) return { error: 'Enter a number' }
  return { value: String(number) === text ? number : text }
}
