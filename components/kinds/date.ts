import { type ConsoleKind, textOf } from './console-kind'

export const date: ConsoleKind = {
  format: (text) => text,
  example: '2026-01-31 or 7 days ago',

  form: 'moment',
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
