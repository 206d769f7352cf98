import type { ConsoleKind } from './console-kind'

export const text: ConsoleKind = {
  format: (value) => value,

  form: 'text',
  moment: null,

  cell: 'text',
  width: 200,

  types: ['string', 'text', 'email', 'url', 'phone', 'uuid'],
}
