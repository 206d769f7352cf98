import { parseDuration, unitsOf } from '@/lib/values/parse-duration'
import { type ConsoleKind, textOf } from './console-kind'

const EXAMPLE = 'P1DT2H30M'

export const duration: ConsoleKind = {
  format: (text) => inWords(text) ?? text,
  example: EXAMPLE,

  fits: (text) => parseDuration(text) !== null,
  moment: null,
  operators: { first: [], others: true },
  labels: {
    gt: 'is longer than',
    gte: 'is at least',
    lt: 'is shorter than',
    lte: 'is at most',
  },
  filterInput: 'text',
  firstValue: '',

  cell: 'words',
  width: 160,

  types: ['duration'],
  input: { placeholder: EXAMPLE },
  choices: null,
  toText: textOf,
  parse: (text) =>
    parseDuration(text.trim())
      ? { value: text.trim() }
      : { error: `Enter a duration, such as ${EXAMPLE}` },
}

/** `1 day 2 h 30 min`; null for what is no duration. */
function inWords(text: string): string | null {
  const found = parseDuration(text)
  if (!found) return null
  const { years, months, days, hours, minutes, seconds } = unitsOf(found)
  const words = [
    plural(years, 'year'),
    plural(months, 'month'),
    plural(days, 'day'),
    hours === 0 ? '' : `${hours} h`,
    minutes === 0 ? '' : `${minutes} min`,
    Number(seconds) === 0 ? '' : `${seconds} s`,
  ]
  return words.filter(Boolean).join(' ').replaceAll('-', '−') || '0 s'
}

const plural = (count: number, unit: string): string =>
  count === 0 ? '' : `${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`
