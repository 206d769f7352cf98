import type { ConsoleKind } from './console-kind'

const WORDS: Record<string, string> = { true: 'Yes', false: 'No' }

export const boolean: ConsoleKind = {
  format: (text) => WORDS[text] ?? text,

  form: 'flag',
  moment: null,

  cell: 'boolean',
  width: 104,

  types: ['boolean'],
}
