import { formatInstant, instantOf, zoneName } from '@/components/ui/time-text'
import type { ConsoleKind } from './console-kind'
import { date } from './date'

export const datetime: ConsoleKind = {
  ...date,
  format: (text, { timeZone }) => {
    const instant = instantOf(text)
    return instant ? `${formatInstant(instant, timeZone)} ${zoneName(instant, timeZone)}` : text
  },
  form: 'instant',
  moment: 'instant',
  cell: 'time',
  width: 212,
  types: ['datetime'],
}
