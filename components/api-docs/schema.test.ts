import { expect, test } from 'vitest'
import type { ApiDocument, SchemaLike } from './document'
import { responseSample, sampleOf } from './sample'
import { insideOf, rulesOf, typeText } from './schema'

const document: ApiDocument = {
  info: { title: 'Engine', version: '1' },
  paths: {},
  components: {
    schemas: {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, parts: { type: 'array', items: tree() } },
        required: ['name', 'parts'],
      },
      Loop: { $ref: '#/components/schemas/Loop' },
    },
  },
}

function tree(): SchemaLike {
  return { $ref: '#/components/schemas/Tree' }
}

test.each<[SchemaLike, string]>([
  [true, 'any'],
  [{}, 'any'],
  [{ $ref: '#/components/schemas/Loop' }, 'any'],
  [{ $ref: '#/components/schemas/Nowhere' }, 'any'],
  [tree(), 'object'],
  [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
  [{ type: 'string', format: 'binary' }, 'file'],
  [{ type: 'string', contentMediaType: 'application/json' }, 'string (application/json)'],
  [{ type: ['integer', 'null'] }, 'integer | null'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number | null'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ const: false }, 'false'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, 'array of (string | null)'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of string'],
  [{ allOf: [tree(), { properties: { x: {} } }] }, 'object'],
])('%j is described as %s', (schema, text) => {
  expect(typeText(document, schema)).toBe(text)
})

test.each<[SchemaLike, unknown]>([
  [tree(), ['name', 'parts']],
  [{ type: 'array', items: { anyOf: [tree(), { type: 'null' }] } }, ['name', 'parts']],
  [{ type: 'object', additionalProperties: tree() }, ['name', 'parts']],
  [{ allOf: [tree(), { properties: { x: {} } }] }, ['name', 'parts', 'x']],
  [{ oneOf: [tree(), { type: 'string' }] }, ['name', 'parts']],
  [{ oneOf: [tree(), tree()] }, 2],
  [{ type: 'string' }, null],
  [{ $ref: '#/components/schemas/Loop' }, null],
])('%j holds %j', (schema, expected) => {
  const inside = insideOf(document, schema)
  const held = inside?.kind === 'fields' ? inside.fields.map(({ name }) => name) : null
  expect(inside?.kind === 'forms' ? inside.forms.length : held).toEqual(expected)
})

test('limits are described in words, those of all numbers are not', () => {
  const { MAX_SAFE_INTEGER } = Number
  expect(rulesOf({ minLength: 1, maxLength: 64, default: 'a' })).toEqual([
    '1–64 characters',
    'default "a"',
  ])
  expect(rulesOf({ minimum: 0, maximum: MAX_SAFE_INTEGER })).toEqual(['≥ 0'])
  expect(rulesOf({ exclusiveMinimum: 0, maxItems: 3, uniqueItems: true })).toEqual([
    '≤ 3 items',
    'distinct items',
    '> 0',
  ])
})

test('a schema that holds itself has an end in examples', () => {
  expect(sampleOf(document, { schema: tree() }, 'request')).toEqual({ name: 'NAME', parts: [] })
  expect(JSON.stringify(sampleOf(document, { schema: tree() }, 'response'))).toContain('null')
})

test('the example of the document comes first, then that of the schema', () => {
  const schema = { type: 'string', examples: ['of the schema'] }
  expect(sampleOf(document, { schema, example: 'given' }, 'request')).toBe('given')
  expect(sampleOf(document, { schema, examples: { a: { value: 'named' } } }, 'request')).toBe(
    'named',
  )
  expect(sampleOf(document, { schema }, 'request')).toBe('of the schema')
})

test('the envelope of an example tells the status it stands under', () => {
  const properties = { timestamp: { type: 'integer' }, code: {}, status: {} }
  const sample = responseSample(document, { schema: { type: 'object', properties } }, '201')
  expect(sample).toEqual({ timestamp: 0, code: 201, status: 'CREATED' })
})
