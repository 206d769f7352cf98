import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import { type ConsoleKind, type Parsed, textOf } from './console-kind'

export const json: ConsoleKind = {
  format: (text) => text,
  example: null,

  form: 'any',
  moment: null,
  operators: { first: [], others: true },
  labels: {},
  filterInput: 'text',
  firstValue: '',

  cell: 'nested',
  width: 240,

  types: ['json'],
  input: {},
  choices: null,
  toText: (value) => exactJsonText(value, 2),
  parse: parseJson,
}

function parseJson(text: string): Parsed {
  try {
    return { value: parseExactJson(text) }
  } catch (error) {
    return { error: `${NOT_JSON}: ${(error as Error).message}` }
  }
}

/** How the fault of a text that should be JSON begins. */
export const NOT_JSON = 'Not valid JSON'

/** Of an object or a list, whose values are that, or texts from before. */
export const nested: ConsoleKind = { ...json, toText: textOf }
