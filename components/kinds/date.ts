import { parseDatetime } from '@/lib/values/parse-datetime'
import { relativeTime } from '@/lib/values/relative-time'
import { type ConsoleKind, textOf } from './console-kind'

export const date: ConsoleKind = {
  format: (text) => text,
  example: '2026-01-31 or 7 days ago',

  fits: (text, value) => typeof value !== 'string' || isInstant(text),
  moment: 'day',
  operators: { first: ['gte', 'lte', 'between', 'eq'], others: true },
  labels: {
    gt: 'is after',
    gte: 'is at or after',
    lt: 'is before',
    lte: 'is at or before',
  },
  filterInput: 'moment',
  firstValue: '',

  cell: 'words',
  width: 120,

  types: ['date'],
  input: { type: 'date' },
  choices: null,
  toText: textOf,
  parse: (text) => ({ value: text }),
}

const isInstant = (text: string): boolean =>
  text.startsWith('$')
    ? relativeTime(text) !== null
    : /^-?\d{9,15}$/.test(text) ||
      parseDatetime(text.replace(/ (\d\d:?\d\d)$/, '+$1')) !== null ||
      parseDatetime(text) !== null
