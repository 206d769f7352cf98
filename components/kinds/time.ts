import type { ConsoleKind } from './console-kind'
import { date } from './date'

export const time: ConsoleKind = {
  ...date,
  example: '10:30',
  form: 'time of day',
  moment: null,
  operators: { first: [], others: true },
  filterInput: 'time of day',
  width: 112,
  types: ['time'],
  input: { type: 'time', step: 1 },
}
