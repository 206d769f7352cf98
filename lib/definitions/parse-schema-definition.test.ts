import { describe, expect, test } from 'vitest'
import { one } from '@/lib/db/sql'
import { type Json, parseJson } from '@/lib/values/json'
import type { Property, SchemaDefinition } from './definition'
import { MAX_PROPERTIES, parseSchemaDefinition } from './parse-schema-definition'
import { typesByName } from './resolve-type'

const parse = (json: unknown) => parseSchemaDefinition(json as Json)

function parsed(json: unknown): SchemaDefinition {
  const result = parse(json)
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result.definition
}

const faultsOf = (json: unknown) => {
  const result = parse(json)
  return 'faults' in result ? result.faults : []
}

/** The one property of a list-form schema. */
const property = (json: object): Property =>
  one(parsed({ name: 'S', properties: [{ name: 'p', type: 'string', ...json }] }).properties)

/** Faults of the one property, as `[pointer, message]`. */
const wrong = (json: object) =>
  faultsOf({ name: 'S', properties: [{ name: 'p', type: 'string', ...json }] }).map(
    ({ pointer, message }) => [pointer, message],
  )

describe('the list form', () => {
  test.each([
    ['string', 'string', 'text'],
    ['TEXT', 'text', 'text'],
    ['LongText', 'longtext', 'text'],
    ['Integer', 'integer', 'integer'],
    ['tinyint', 'tinyint', 'integer'],
    ['number', 'number', 'float'],
    ['Price', 'price', 'decimal'],
    ['BIT', 'bit', 'boolean'],
    ['date', 'date', 'date'],
    ['DATE', 'date', 'date'],
    ['Date', 'datetime', 'datetime'],
    ['DateTime', 'datetime', 'datetime'],
    ['time', 'time', 'time'],
    ['JSON', 'json', 'json'],
    ['object', 'object', 'object'],
    ['Array', 'array', 'array'],
  ])('takes the type %s as %s, kept as %s', (written, type, kind) => {
    expect(property({ type: written })).toMatchObject({ type, kind })
  })

  test('keeps what a text is written in, in either form, and only of texts', () => {
    const written = { contentMediaType: 'text/markdown' }
    expect(property({ meta: written }).rules).toMatchObject(written)
    expect(property({ type: 'integer', ...written }).rules).not.toHaveProperty('contentMediaType')
    const properties = { p: { type: 'string', ...written }, n: { type: 'number', ...written } }
    const [p, n] = parsed({ name: 'S', type: 'object', properties }).properties
    expect(p?.rules).toMatchObject(written)
    expect(n?.rules).not.toHaveProperty('contentMediaType')
    expect(wrong({ contentMediaType: 7 })).toHaveLength(1)
  })

  test.each(['email', 'url', 'uuid', 'phone'])('checks the format of %s', (type) => {
    expect(property({ type })).toMatchObject({ kind: 'text', rules: { format: type } })
  })

  test('takes rules from meta, or flat on the property', () => {
    const rules = { required: true, maxLength: 5, pattern: '^a', indexed: true, default: 'ab' }
    expect(property({ meta: rules })).toEqual(property(rules))
    expect(property(rules).rules).toEqual({ ...rules, unique: false, searchable: false })
  })

  test('takes null for a rule that is not set', () => {
    const rules = { required: null, min: null, pattern: null, enum: null, reference: null }
    expect(property({ label: null, meta: rules })).toEqual(property({}))
    expect(property({ meta: null })).toEqual(property({}))
  })

  test.each([0, -1])('takes the length %i for a length that is not set', (length) => {
    const meta = { length, minLength: length, maxLength: length }
    expect(property({ meta })).toEqual(property({}))
  })

  test('takes length as the most characters, since that is what it is in SQL', () => {
    expect(property({ length: 3 }).rules).toMatchObject({ maxLength: 3 })
    expect(property({ length: 3, maxLength: 2 }).rules).toMatchObject({ maxLength: 2 })
    expect(property({ type: 'integer', length: 11 }).rules.maxLength).toBeUndefined()
  })

  test('keeps label, description and order', () => {
    const { properties } = parsed({
      name: 'S',
      properties: [
        { name: 'z', type: 'string', label: 'Zed', description: 'Last letter' },
        { name: 'a', type: 'string' },
      ],
    })
    expect(properties.map(({ name }) => name)).toEqual(['z', 'a'])
    expect(properties[0]).toMatchObject({ label: 'Zed', description: 'Last letter' })
  })

  test('keeps an example that the rules of the property allow', () => {
    const rules = { pattern: '^[A-Z]{3}$' }
    expect(property({ meta: { ...rules, example: 'ZRH' } })).toMatchObject({ example: 'ZRH' })
    expect(property({ ...rules, example: 'ZRH' })).toMatchObject({ example: 'ZRH' })
    expect(property({ ...rules, examples: ['zrh', 'ZRH', 'BER'] }).example).toBe('ZRH')
    expect(property({ ...rules, example: 'zrh' })).not.toHaveProperty('example')
    expect(property({ examples: 'none' })).not.toHaveProperty('example')
    expect(property({ example: 'x'.repeat(1001) })).not.toHaveProperty('example')
    expect(property({ type: 'integer', example: 0 }).example).toBe(0)
    expect(property({ type: 'boolean', example: false }).example).toBe(false)
    expect(property({ example: 'ZRH' }).rules).toEqual(property({}).rules)
  })

  test('keeps no example that takes long to match', () => {
    const pattern = '^(a|b|c){1,200}$'
    expect(property({ pattern, example: 'a' })).toHaveProperty('example')
    expect(property({ pattern, example: 'a'.repeat(150) })).not.toHaveProperty('example')
  })

  test('ignores keys that it does not know', () => {
    expect(property({ widget: 'textarea', meta: { color: 'red' } })).toEqual(property({}))
  })
})

describe('the JSON Schema form', () => {
  const schema = {
    type: 'object',
    required: ['code'],
    properties: {
      code: { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Z]+$', title: 'Code' },
      area: { type: 'number', minimum: 0, exclusiveMaximum: 10 },
      count: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      since: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
      site: { type: 'string', format: 'uri' },
      size: { enum: ['S', 'M', null] },
      fixed: { const: 7 },
      tags: { type: 'array', items: { type: 'string' } },
      place: { type: 'object', properties: {}, required: ['x'] },
      any: {},
      mixed: { type: ['string', 'number'] },
      other: { anyOf: [{ type: 'string' }] },
    },
  }

  test.each([
    ['spread over the definition', { name: 'S', ...schema }],
    ['as the value of properties', { name: 'S', properties: schema }],
  ])('is understood %s', (_, json) => {
    const { properties } = parsed(json)
    expect(Object.fromEntries(properties.map(({ name, type }) => [name, type]))).toEqual({
      code: 'string',
      area: 'number',
      count: 'integer',
      since: 'date',
      at: 'datetime',
      mail: 'email',
      site: 'url',
      size: 'string',
      fixed: 'number',
      tags: 'array',
      place: 'object',
      any: 'json',
      mixed: 'json',
      other: 'json',
    })
    const rules = new Map(properties.map((each) => [each.name, each.rules]))
    const code = { required: true, minLength: 2, maxLength: 2, pattern: '^[A-Z]+$' }
    expect(rules.get('code')).toMatchObject(code)
    expect(rules.get('area')).toMatchObject({ min: 0, max: 9.999999999999998 })
    expect(rules.get('count')).toMatchObject({ min: 1, required: false })
    expect(rules.get('size')?.enum).toEqual(['S', 'M'])
    expect(rules.get('fixed')?.enum).toEqual([7])
    expect(rules.get('place')?.required).toBe(false)
  })

  test('takes our own rules beside those of JSON Schema', () => {
    const reference = { entity: 'Country', field: 'code' }
    const properties = {
      a: { type: 'string', unique: true, meta: { searchable: true, reference } },
    }
    expect(parsed({ name: 'S', properties }).properties[0]?.rules).toMatchObject({
      unique: true,
      searchable: true,
      reference,
    })
  })

  test('may have a property called properties, type or required', () => {
    const properties = {
      properties: { type: 'object' },
      type: { type: 'string' },
      required: { type: 'boolean' },
    }
    const names = parsed({ name: 'S', properties }).properties.map(({ name }) => name)
    expect(names).toEqual(['properties', 'type', 'required'])
  })

  test('does not follow references', () => {
    const faults = faultsOf({ name: 'S', properties: { a: { $ref: '#/$defs/a' } } })
    expect(faults).toMatchObject([{ pointer: '/properties/a/$ref' }])
  })

  test('names a required property that is not there', () => {
    const faults = faultsOf({ name: 'S', required: ['b'], properties: { a: { type: 'string' } } })
    expect(faults).toMatchObject([
      { pointer: '/required', message: 'Names "b", which is not a property' },
    ])
  })
})

describe('additionalProperties', () => {
  test.each([
    [undefined, true],
    [null, true],
    [true, true],
    [false, false],
    [{ type: 'string' }, true],
  ])('given as %j is %s', (additionalProperties, open) => {
    expect(parsed({ name: 'S', additionalProperties }).additionalProperties).toBe(open)
  })
})

describe('types that plugins define', () => {
  const types = typesByName([
    { name: 'Code', baseType: 'string', meta: { maxLength: 4, pattern: '^[A-Z]+$' } },
    { name: 'Iso', baseType: 'code', meta: { maxLength: 2 } },
    { name: 'Egg', baseType: 'Hen', meta: {} },
    { name: 'Hen', baseType: 'Egg', meta: {} },
    { name: 'Lost', baseType: 'nowhere', meta: {} },
  ])
  const using = (json: object) =>
    parseSchemaDefinition({ name: 'S', properties: [{ name: 'p', ...json }] } as Json, types)

  test('bring their rules, of which the nearest wins', () => {
    const result = using({ type: 'ISO', pattern: '^D' })
    expect(result).toMatchObject({
      definition: {
        properties: [{ type: 'string', kind: 'text', rules: { maxLength: 2, pattern: '^D' } }],
      },
    })
  })

  test.each([
    ['Egg', 'The types Egg → Hen → Egg are based on each other'],
    ['Lost', 'The type "Lost" is based on "nowhere", which does not exist'],
    ['cod', 'There is no type "cod"; did you mean "Code"?'],
  ])('of the name %s are refused', (type, message) => {
    expect(using({ type })).toMatchObject({ faults: [{ pointer: '/properties/0/type', message }] })
  })
})

describe('a schema is refused', () => {
  test.each<[string, object, string, RegExp]>([
    ['an unknown type', { type: 'strng' }, '/type', /no type "strng"; did you mean "string"\?/],
    ['a type that is no text', { type: 5 }, '/type', /Must be text, not a number/],
    ['a rule of another type', { required: 'yes' }, '/required', /true or false, not text/],
    ['a negative length', { maxLength: -2 }, '/maxLength', /-1/],
    ['a broken pattern', { meta: { pattern: '(' } }, '/meta/pattern', /RE2/],
    ['a pattern RE2 lacks', { pattern: '(?=a)b' }, '/pattern', /RE2/],
    ['a pattern that explodes', { pattern: '(x{1000}){1000}' }, '/pattern', /RE2/],
    ['an endless pattern', { pattern: 'a'.repeat(1001) }, '/pattern', /1000/],
    ['a pattern on a number', { type: 'number', pattern: 'a' }, '/pattern', /text only/],
    ['min on text', { min: 1 }, '/min', /use minLength/],
    ['max on a date', { type: 'date', max: 1 }, '/max', /numbers only/],
    ['unique JSON', { type: 'json', unique: true }, '/unique', /not allowed/],
    ['min over max', { type: 'number', min: 2, max: 1 }, '/min', /greater than max, 1/],
    ['minLength over maxLength', { minLength: 3, maxLength: 2 }, '/minLength', /length, 2/],
    ['minLength over length', { minLength: 3, length: 2 }, '/minLength', /length, 2/],
    ['an empty enum', { enum: [] }, '/enum', /at least one/],
    ['an enum of another type', { enum: ['a', 1] }, '/enum/1', /must be text/],
    ['an enum against a rule', { enum: ['abc'], maxLength: 2 }, '/enum/0', /at most 2/],
    ['a default of another type', { type: 'integer', default: 1.5 }, '/default', /whole number/],
    ['a default not in enum', { enum: ['a'], default: 'b' }, '/default', /enum/],
    ['a default against a pattern', { pattern: '^b', default: 'a' }, '/default', /match \^b/],
    ['a default that is no email', { type: 'email', default: 'a' }, '/default', /email/],
    ['a default that is no date', { type: 'date', default: '2023-02-29' }, '/default', /a date/],
    ['a default out of range', { type: 'smallint', default: 40_000 }, '/default', /between/],
    [
      'a default that loses digits',
      { type: 'bigint', default: 2 ** 53 },
      '/default',
      /written as text/,
    ],
    [
      'an enum that loses digits',
      { type: 'decimal', enum: [1, -(2 ** 60)] },
      '/enum/1',
      /written as text/,
    ],
    ['a reference without field', { reference: { entity: 'A' } }, '/reference/field', /missing/],
    ['a rule twice', { min: 1, type: 'number', meta: { min: 2 } }, '/meta/min', /give it once/],
  ])('for %s', (_, json, pointer, message) => {
    const faults = wrong(json)
    expect(faults[0]?.[0]).toBe(`/properties/0${pointer}`)
    expect(faults[0]?.[1]).toMatch(message)
  })

  test.each([
    ['a space', 'a b'],
    ['a quote', 'a"b'],
    ['an SQL comment', 'a--'],
    ['a statement', 'a"; drop table engine.users; --'],
    ['a digit at the start', '1a'],
    ['a dot', 'a.b'],
    ['letters beyond ASCII', 'größe'],
    ['a dollar', '$extra'],
    ['no letters', ''],
    ['64 characters', 'a'.repeat(64)],
    ['the name of the key of records', 'PersistenceID'],
    ['the name of a JavaScript trap', '__proto__'],
    ['the name of another', 'constructor'],
  ])('for a property name with %s', (_, name) => {
    expect(wrong({ name })).toHaveLength(1)
  })

  test('for names that differ in case only', () => {
    const properties = [
      { name: 'Code', type: 'string' },
      { name: 'code', type: 'string' },
    ]
    const faults = faultsOf({ name: 'S', properties })
    expect(faults).toMatchObject([
      { pointer: '/properties/1', message: '"code" clashes with "Code"' },
    ])
  })

  test('for a hidden __proto__ key, which pollutes nothing', () => {
    const json = parseJson('{"name":"S","properties":{"__proto__":{"type":"string"}}}')
    expect(parseSchemaDefinition(json)).toMatchObject({ faults: [{}] })
    const deep = parseJson('{"name":"S","properties":[],"__proto__":{"polluted":1}}')
    expect(parseSchemaDefinition(deep)).toMatchObject({ definition: { name: 'S' } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test.each([
    ['U+0000', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('for text with %s, which the database cannot keep', (_, label) => {
    expect(wrong({ label })).toMatchObject([['/properties/0/label', /cannot be stored/]])
  })

  test('for nesting that would overflow', () => {
    let deep: Json = 1
    for (let level = 0; level < 50_000; level++) deep = [deep]
    expect(wrong({ type: 'json', default: deep })).toHaveLength(1)
  })

  test('for more properties than a table can have', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `p${at}`, type: 'string' }))
    expect(parsed({ name: 'S', properties: many(MAX_PROPERTIES) }).properties).toHaveLength(1000)
    expect(faultsOf({ name: 'S', properties: many(MAX_PROPERTIES + 1) })).toHaveLength(1)
  })

  test.each([
    ['no object', [], /object/],
    ['no name', { properties: [] }, /missing/],
    ['a name that is no identifier', { name: 'a b' }, /letters/],
    ['properties that are text', { name: 'S', properties: 'a' }, /list of properties/],
    ['a property that is text', { name: 'S', properties: ['a'] }, /name and type/],
    ['additionalProperties in words', { name: 'S', additionalProperties: 'no' }, /true or false/],
  ])('for %s', (_, json, message) => {
    expect(faultsOf(json)[0]?.message).toMatch(message)
  })

  test('with all its faults', () => {
    const properties = [{ name: 'a b', type: 'x' }, { type: 'string' }, { name: 'c', type: 'int' }]
    const pointers = faultsOf({ name: 5, properties }).map(({ pointer }) => pointer)
    expect(pointers).toEqual([
      '/name',
      '/properties/1/name',
      '/properties/0',
      '/properties/0/type',
      '/properties/2/type',
    ])
  })
})

test('names of 63 characters are kept to the letter', () => {
  const name = `A${'b_9'.repeat(20)}zz`
  expect(name).toHaveLength(63)
  expect(property({ name }).name).toBe(name)
})
