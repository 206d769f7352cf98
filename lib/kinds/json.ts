import { sql } from 'drizzle-orm'
import { type Json, stringifyExactly } from '@/lib/values/json'
import { isJsonNumber } from '@/lib/values/numeric-text'
import { asStored, type FieldKind, type JsonLiteral, type Literal } from './field-kind'
import { nounOf } from './kind'

export const json: FieldKind = {
  types: { json: {} },
  jsonSchemaFormats: {},
  keyStrategies: [],

  words: () => nounOf('json'),
  accepts: () => true,
  sentAs: () => ['string', 'number', 'boolean', 'object', 'array'],
  isParsed: false,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => null,
  equalText: null,
  now: null,

  column: () => 'jsonb',
  served: asStored,
  fromRow: null,
  dependsOnSettings: false,
  fitsText: () => null,
  fromText: (text) => sql`to_jsonb(${text})`,
  fitsJson: () => sql`true`,
  fromJson: (value) => sql`nullif(${value}, 'null'::jsonb)`,

  comparedAs: 'text',
  literal: jsonLiteral,
  isSummed: true,
  isFoundByValue: false,

  sheetCell: 'text',
  csvCell: 'value',
  tableText: null,
  readCell: 'json',
  proposals: [
    { type: 'json', fits: (text) => /^[[{]/.test(text) && parsedJson(text) !== undefined },
  ],

  schema: {},
  typescript: 'Json',
  typescriptObject: 'JsonObject',
  sample: () => ({ note: 'any JSON' }),
  sampleCondition: null,
}

/** How `value` is compared inside JSON: `5` and `"5"` are equal, and so are `{…}` and its text. */
function jsonLiteral(value: Json): JsonLiteral {
  if (typeof value === 'object')
    return { type: 'json', text: null, number: null, container: stringifyExactly(value) }
  const text = String(value)
  const number = typeof value !== 'boolean' && isJsonNumber(text) ? text : null
  return { type: 'json', text, number, container: number ? null : parseContainer(text) }
}

/** The JSON of a text that is an object or array, or null. */
function parseContainer(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null // a text that only begins like JSON
  }
}

/** The literal of an object or array that is accepted; null of anything else. */
export function containerLiteral(value: Json, accepts: (value: Json) => boolean): Literal | null {
  const literal = jsonLiteral(value)
  if (literal.container === null) return null
  return accepts(JSON.parse(literal.container) as Json) ? literal : null
}

const MAX_JSON_CHARS = 20_000

export function parsedJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
