import type { ConsoleKind } from './console-kind'
import { date } from './date'

export const time: ConsoleKind = {
  ...date,
  form: 'time of day',
  moment: null,
  width: 112,
  types: ['time'],
}
