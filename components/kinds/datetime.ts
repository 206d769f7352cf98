import { toIso, toLocal } from '@/components/ui/local-time'
import { formatInstant, instantOf, zoneName } from '@/components/ui/time-text'
import type { ConsoleKind } from './console-kind'
import { date } from './date'

export const datetime: ConsoleKind = {
  ...date,
  format: (text, { timeZone }) => {
    const instant = instantOf(text)
    return instant ? `${formatInstant(instant, timeZone)} ${zoneName(instant, timeZone)}` : text
  },
  example: '2026-01-31 10:00 or 7 days ago',
  operators: { first: ['gte', 'lte', 'between'], others: true },
  moment: 'instant',
  cell: 'time',
  width: 212,
  types: ['datetime'],
  input: { type: 'datetime-local', step: 1 },
  toText: toLocal,
  parse: (text) => ({ value: toIso(text) }),
}
