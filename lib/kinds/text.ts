import { asStored, type FieldKind, isOfType, type Sampled, textOf } from './field-kind'
import { matchesFormat } from './formats'
import { nounOf } from './kind'

const ANY_TEXT = {}

export const text: FieldKind = {
  types: {
    string: ANY_TEXT,
    text: ANY_TEXT,
    char: ANY_TEXT,
    varchar: ANY_TEXT,
    tinytext: ANY_TEXT,
    mediumtext: ANY_TEXT,
    longtext: ANY_TEXT,
    email: { format: 'email' },
    phone: { format: 'phone' },
    url: { format: 'url' },
    uuid: { format: 'uuid' },
  },
  jsonSchemaFormats: {
    email: 'email',
    'idn-email': 'email',
    uri: 'url',
    url: 'url',
    iri: 'url',
    uuid: 'uuid',
    phone: 'phone',
  },
  keyStrategies: ['AutoIncrement', 'UUID', 'Fixed'],

  words: () => nounOf('text'),
  accepts: (value) => typeof value === 'string',
  sentAs: () => ['string'],
  isParsed: false,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => null,
  equalText: null,
  now: null,

  column: () => 'text',
  served: asStored,
  fromRow: null,
  dependsOnSettings: false,
  fitsText: () => null,
  fromText: asStored,
  fitsJson: (json) => isOfType(json, 'string'),
  fromJson: textOf,

  comparedAs: 'text',
  literal: (value) => (typeof value === 'object' ? null : { type: 'text', text: String(value) }),
  isSummed: false,
  isFoundByValue: true,

  sheetCell: 'text',
  csvCell: 'harmless text',
  tableText: null,
  readCell: 'text',
  proposals: [
    { type: 'uuid', fits: (cell) => matchesFormat(cell, 'uuid') },
    { type: 'email', fits: (cell) => matchesFormat(cell, 'email') },
    { type: 'url', fits: (cell) => /^https?:/i.test(cell) && matchesFormat(cell, 'url') },
    { type: 'string', fits: () => true },
  ],

  schema: { type: 'string' },
  typescript: 'string',
  typescriptObject: 'JsonObject',
  sample,
  sampleCondition: { operator: 'ilike', value: 'a' },
}

const FORMATS: Record<string, string> = {
  email: 'jane@example.com',
  url: 'https://example.com/',
  uuid: '3f2b8c1e-5d4a-4b6f-9a7e-2c1d0e9f8a7b',
  phone: '+41 44 123 45 67',
}

function sample({ name, type, format = type, minLength = 0, maxLength }: Sampled): string {
  const known = FORMATS[format]
  if (known) return known
  return `Some ${name}`.padEnd(minLength, '.').slice(0, maxLength)
}
