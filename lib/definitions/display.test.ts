import { expect, test } from 'vitest'
import { entityJson, schemaJson } from '@/lib/lifecycle/export/definition-files'
import { mergeEntity } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'
import { entityWarnings, schemaWarnings } from './definition-warnings'
import { entityFaults } from './entity-faults'
import { parseEntityDefinition } from './parse-entity-definition'
import { parseSchemaDefinition } from './parse-schema-definition'

const field = (name: string, type: string, meta: object = {}) => ({ name, type, meta })
const schemaOf = (...properties: object[]) => ({ name: 'Order', properties }) as unknown as Json

const CHOICES = [
  'draft',
  { value: 'paid', label: 'Paid in full', color: 'green' },
  { value: 'off' },
]
const SCHEMA = schemaOf(
  field('status', 'string', { enum: CHOICES, group: 'State', hint: 'Set by the shop' }),
  field('weight', 'integer', { unit: 'kg', hidden: { list: true } }),
  field('price', 'decimal', { numberFormat: { currency: 'EUR' } }),
  field('share', 'number', { numberFormat: { style: 'percent', decimals: 1, grouping: false } }),
  field('anything', 'json', { enum: [{ value: 1, label: 'one', other: true }] }),
)

test('what people see of fields is read, beside rules that stay as they were', () => {
  const parsed = parseSchemaDefinition(SCHEMA)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const [status, weight, price, share, anything] = parsed.definition.properties
  expect(status?.rules.enum).toEqual(['draft', 'paid', 'off'])
  expect(status?.display).toEqual({
    choices: [{ value: 'paid', label: 'Paid in full', color: 'green' }],
    group: 'State',
    hint: 'Set by the shop',
  })
  expect(weight?.display).toEqual({ hidden: { list: true }, unit: 'kg' })
  expect(price?.display).toEqual({ format: { style: 'currency', currency: 'EUR' } })
  expect(share?.display).toEqual({ format: { style: 'percent', decimals: 1, grouping: false } })
  expect(anything).not.toHaveProperty('display')
  expect(anything?.rules.enum).toEqual([{ value: 1, label: 'one', other: true }])
  expect(parseSchemaDefinition(schemaJson(parsed.definition))).toEqual(parsed)
  expect(schemaWarnings(SCHEMA)).toEqual([])
})

test.each([
  [{ enum: [{ value: 'a', color: 'geen' }] }, '/enum/0/color', 'did you mean "green"'],
  [{ enum: [{ label: 'A' }] }, '/enum/0/value', ''],
  [{ enum: ['a', { value: 'a', label: 'A' }] }, '/enum/1/value', 'listed twice'],
  [{ enum: [{ value: 3, label: 'Three' }] }, '/enum/0', 'text'],
  [{ numberFormat: { decimals: 2 } }, '/numberFormat', 'numbers only'],
  [{ unit: 'kg' }, '/unit', 'numbers only'],
  [{ group: '' }, '/group', 'empty'],
  [{ hidden: true }, '/hidden', 'an object'],
])('%j of a text is a fault at %s', (meta, pointer, message) => {
  const parsed = parseSchemaDefinition(schemaOf(field('status', 'string', meta)))
  expect(parsed).toMatchObject({
    faults: [
      { pointer: `/properties/0/meta${pointer}`, message: expect.stringContaining(message) },
    ],
  })
})

test.each([
  [{ style: 'procent' }, '/style', 'did you mean "percent"'],
  [{ style: 'currency' }, '/currency', 'such as EUR'],
  [{ currency: 'euro' }, '/currency', 'ISO 4217'],
  [{ style: 'percent', currency: 'EUR' }, '/currency', 'the style currency only'],
  [{ decimals: 21 }, '/decimals', 'at most 20'],
  [{ decimals: 1.5 }, '/decimals', 'whole'],
])('the number format %j is a fault at %s', (numberFormat, pointer, message) => {
  const parsed = parseSchemaDefinition(schemaOf(field('price', 'decimal', { numberFormat })))
  const at = `/properties/0/meta/numberFormat${pointer}`
  expect(parsed).toMatchObject({
    faults: [{ pointer: at, message: expect.stringContaining(message) }],
  })
})

test('no value is no choice', () => {
  const none = { value: null, label: 'None' }
  const parsed = parseSchemaDefinition(schemaOf(field('status', 'string', { enum: ['a', none] })))
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  expect(parsed.definition.properties[0]).not.toHaveProperty('display')
  expect(parseSchemaDefinition(schemaJson(parsed.definition))).toEqual(parsed)
})

test('bytes have no other unit', () => {
  const parsed = parseSchemaDefinition(
    schemaOf(field('size', 'bigint', { numberFormat: { style: 'bytes' }, unit: 'B' })),
  )
  expect(parsed).toMatchObject({ faults: [{ pointer: '/properties/0/meta/unit' }] })
})

test('unknown keys inside of it are warnings with the nearest name', () => {
  const schema = schemaOf(
    field('status', 'string', { enum: [{ value: 'a', colour: 'red' }], hidden: { lists: true } }),
    field('price', 'decimal', { numberFormat: { decimal: 2 } }),
  )
  expect(schemaWarnings(schema).map(({ message }) => message)).toEqual([
    expect.stringContaining('did you mean "list"'),
    expect.stringContaining('did you mean "color"'),
    expect.stringContaining('did you mean "decimals"'),
  ])
  expect(
    entityWarnings({ name: 'Order', display: { titel: 'status' } }).map(({ message }) => message),
  ).toEqual([expect.stringContaining('did you mean "title"')])
})

const FIELDS = schemaOf(
  field('name', 'string'),
  field('due', 'date'),
  field('photo', 'url'),
  field('lat', 'number'),
  field('long', 'number'),
  field('spot', 'object'),
)

function faultsOf(display: object) {
  const [entity, schema] = [
    parseEntityDefinition({ name: 'Order', display } as unknown as Json),
    parseSchemaDefinition(FIELDS),
  ]
  if ('faults' in entity) return entity.faults
  if ('faults' in schema) throw new Error('The schema has faults')
  expect(parseEntityDefinition(entityJson(entity.definition))).toEqual(entity)
  const row = {
    ...{ name: 'Order', pluginId: null, definition: entity.definition, extraFields: [] },
    ...{ tableSchema: 'entities', tableName: 'order' },
  }
  return entityFaults(mergeEntity(row, schema.definition))
}

test.each([
  {},
  { title: 'name', columns: ['name', 'due'] },
  { form: 'table' },
  { form: 'cards', image: 'photo' },
  { form: 'calendar', date: 'due' },
  { form: 'map', place: 'spot' },
  { form: 'map', latitude: 'lat', longitude: 'long' },
  { title: null, columns: null },
])('records may be shown as %j', (display) => {
  expect(faultsOf(display)).toEqual([])
})

test.each([
  [{ title: 'nmae' }, '/display/title', 'did you mean "name"'],
  [{ title: 'due' }, '/display/title', 'needs a text'],
  [{ columns: ['name', 'doe'] }, '/display/columns/1', 'did you mean "due"'],
  [{ columns: ['name', 'name'] }, '/display/columns/1', 'named twice'],
  [{ columns: [] }, '/display/columns', 'at least one'],
  [{ form: 'calender', date: 'due' }, '/display/form', 'did you mean "calendar"'],
  [{ form: 'calendar' }, '/display/form', 'Needs the "date"'],
  [{ form: 'cards' }, '/display/form', 'Needs the "image"'],
  [{ form: 'map' }, '/display/form', 'Needs a "place"'],
  [{ form: 'map', latitude: 'lat' }, '/display/longitude', 'Is missing'],
  [{ date: 'name' }, '/display/date', 'needs a date'],
  [{ image: 'lat' }, '/display/image', 'an image needs'],
  [{ place: 'name' }, '/display/place', 'needs an object'],
  [{ latitude: 'name', longitude: 'long' }, '/display/latitude', 'needs a number'],
])('%j is a fault at %s', (display, pointer, message) => {
  expect(faultsOf(display)[0]).toMatchObject({
    pointer,
    message: expect.stringContaining(message),
  })
})
