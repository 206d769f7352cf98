import type { ConsoleKind } from './console-kind'

export const date: ConsoleKind = {
  format: (text) => text,

  form: 'day',
  moment: 'day',

  cell: 'words',
  width: 120,

  types: ['date'],
}
