import { isTime } from '@/lib/values/parse-datetime'
import type { ConsoleKind } from './console-kind'
import { date } from './date'

export const time: ConsoleKind = {
  ...date,
  example: '10:30',
  fits: isTime,
  moment: null,
  operators: { first: [], others: true },
  filterInput: 'time of day',
  width: 112,
  types: ['time'],
  input: { type: 'time', step: 1 },
}
