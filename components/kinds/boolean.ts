import { type ConsoleKind, textOf } from './console-kind'

const WORDS: Record<string, string> = { true: 'Yes', false: 'No' }

export const boolean: ConsoleKind = {
  format: (text) => WORDS[text] ?? text,
  example: null,

  form: 'flag',
  moment: null,
  operators: { first: ['eq', 'ne', 'isnull', 'notnull'], others: false },
  labels: {},
  filterInput: 'choice',
  firstValue: true,

  cell: 'boolean',
  width: 104,

  types: ['boolean'],
  input: {},
  choices: [true, false],
  toText: textOf,
  parse: (text) => ({ value: text === 'true' }),
}
