import { expect, test } from 'vitest'
import {
  draftsOf,
  editedSchema,
  editsOf,
  emptyField,
  type FieldDraft,
  rebased,
  type WrittenSchema,
} from './field-draft'

const reference = { entity: 'Country', field: 'code', with: { area: 'area' }, onDelete: 'setNull' }
const SCHEMA: WrittenSchema = {
  name: 'City',
  additionalProperties: false,
  properties: [
    { name: 'id', type: 'integer' },
    { name: 'size', type: 'integer', meta: { min: 1, enum: [1, 2], default: 2, format: 'x' } },
    { name: 'country', type: 'string', label: 'Land', meta: { required: true, reference } },
  ],
}

const edited = (name: string, part: Partial<FieldDraft>) =>
  draftsOf(SCHEMA).map((field) => (field.name === name ? { ...field, ...part } : field))
const metaOf = (fields: readonly FieldDraft[], name: string) =>
  editedSchema(SCHEMA, fields).properties.find((field) => field.name === name)?.meta

test('a schema that is not edited stays as it is written', () => {
  expect(editedSchema(SCHEMA, draftsOf(SCHEMA))).toEqual(SCHEMA)
  expect(editsOf(draftsOf(SCHEMA))).toEqual([])
})

test('values are of the type of their field, and what is not edited stays', () => {
  const fields = edited('size', { choices: ['1', '7'], default: '', label: 'Size' })
  expect(metaOf(fields, 'size')).toEqual({ min: 1, enum: [1, 7], format: 'x' })
  const text = edited('size', { choices: ['1', 'many'] })
  expect(metaOf(text, 'size')).toMatchObject({ enum: [1, 'many'] })
})

test('a reference keeps its further fields while it leads to the same entity', () => {
  expect(metaOf(edited('country', { onDelete: 'cascade' }), 'country')).toEqual({
    ...{ required: true, reference: { ...reference, onDelete: 'cascade' } },
  })
  const elsewhere = edited('country', { entity: 'Region', field: '', onDelete: '' })
  expect(metaOf(elsewhere, 'country')).toEqual({ required: true, reference: { entity: 'Region' } })
  expect(metaOf(edited('country', { entity: '' }), 'country')).toEqual({ required: true })
})

test('new, changed and removed fields are said', () => {
  const fields = [
    ...edited('size', { isRemoved: true }),
    { ...emptyField(), name: 'note', flags: { ...emptyField().flags, required: true } },
  ]
  expect(editsOf(fields)).toEqual(['Remove size', 'New field note'])
  expect(editedSchema(SCHEMA, fields).properties.map(({ name }) => name)).toEqual([
    ...['id', 'country', 'note'],
  ])
  expect(metaOf(fields, 'note')).toEqual({ required: true })
})

test('edits go on over a schema that was changed meanwhile', () => {
  const before = [...edited('size', { label: 'Size' }), { ...emptyField(), name: 'note' }]
  const [, size, country] = SCHEMA.properties
  const now = {
    ...SCHEMA,
    properties: [{ ...size, type: 'decimal' }, country, { name: 'born', type: 'date' }],
  } as WrittenSchema
  const fields = rebased(before, now)
  expect(editsOf(fields)).toEqual(['Change size', 'New field note'])
  expect(fields[0]).toMatchObject({ type: 'decimal', label: 'Size' })
  expect(editedSchema(now, fields).properties.map(({ name }) => name)).toEqual([
    ...['size', 'country', 'note', 'born'],
  ])
})

test('a new field that the schema has meanwhile is a change of that one', () => {
  const note = { ...emptyField(), name: 'note', label: 'Note' }
  const now = { ...SCHEMA, properties: [...SCHEMA.properties, { name: 'note', type: 'string' }] }
  const fields = rebased([...draftsOf(SCHEMA), note], now)
  expect(editsOf(fields)).toEqual(['Change note'])
  expect(editedSchema(now, fields).properties.map(({ name }) => name)).toEqual([
    ...['id', 'size', 'country', 'note'],
  ])
})
