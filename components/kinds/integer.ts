import { groupDigits } from '@/components/ui/number'
import type { ConsoleKind } from './console-kind'

export const integer: ConsoleKind = {
  format: (text, { isNumbering }) => (isNumbering ? text : groupDigits(text)),

  form: 'number',
  moment: null,

  cell: 'number',
  width: 112,

  types: ['integer', 'bigint'],
}
