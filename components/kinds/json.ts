import type { ConsoleKind } from './console-kind'

export const json: ConsoleKind = {
  format: (text) => text,

  form: 'json',
  moment: null,

  cell: 'nested',
  width: 240,

  types: ['json'],
}
