import { expect, test } from 'vitest'
import { draftsOf, emptyField, type FieldDraft } from './field-draft'
import { editsOf, isReordered, placed, rebased } from './field-list'
import type { WrittenSchema } from './written'
import { editedFields } from './written-field'

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
  editedFields(fields).find((field) => field.name === name)?.meta

test('a schema that is not edited stays as it is written', () => {
  expect(editedFields(draftsOf(SCHEMA))).toEqual(SCHEMA.properties)
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
  const further = { zone: 'area', land: '' }
  const elsewhere = edited('country', { entity: 'Region', field: 'id', further, onDelete: '' })
  expect(metaOf(elsewhere, 'country')).toEqual({
    ...{ required: true, reference: { entity: 'Region', field: 'id', with: { area: 'zone' } } },
  })
  expect(metaOf(edited('country', { entity: '' }), 'country')).toEqual({ required: true })
})

test('new, changed and removed fields are said', () => {
  const fields = [
    ...edited('size', { isRemoved: true }),
    { ...emptyField(), name: 'note', flags: { ...emptyField().flags, required: true } },
  ]
  expect(editsOf(fields)).toEqual(['Remove size', 'New field note'])
  expect(editedFields(fields).map(({ name }) => name)).toEqual([...['id', 'country', 'note']])
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
  expect(editedFields(fields).map(({ name }) => name)).toEqual([
    ...['size', 'country', 'note', 'born'],
  ])
})

test('a new field that the schema has meanwhile is a change of that one', () => {
  const note = { ...emptyField(), name: 'note', label: 'Note' }
  const now = { ...SCHEMA, properties: [...SCHEMA.properties, { name: 'note', type: 'string' }] }
  const fields = rebased([...draftsOf(SCHEMA), note], now)
  expect(editsOf(fields)).toEqual(['Change note'])
  expect(editedFields(fields).map(({ name }) => name)).toEqual([
    ...['id', 'size', 'country', 'note'],
  ])
})

test('rules that another type can’t have go with the former type', () => {
  expect(metaOf(edited('size', { type: 'string', default: '', choices: [] }), 'size')).toEqual({
    format: 'x',
  })
  const limits = { minLength: '1', maxLength: '', min: '2', max: '3' }
  const date = { ...emptyField(), name: 'born', type: 'date', limits, default: 'now' }
  expect(metaOf([date], 'born')).toEqual({ default: 'now' })
})

test('a computed field has no rules about values that are brought', () => {
  const [, size] = draftsOf(SCHEMA)
  const computed = edited('size', {
    texts: { pattern: '', format: '', contentMediaType: '', computed: ' id * 2 ' },
    flags: { required: true, unique: true, indexed: false, searchable: false },
  })
  expect(size?.texts.format).toBe('x')
  expect(metaOf(computed, 'size')).toEqual({ unique: true, computed: 'id * 2' })
})

test('a field is placed behind another one, which is said', () => {
  const fields = draftsOf(SCHEMA)
  const namesOf = (all: readonly FieldDraft[]) => all.map(({ name }) => name)
  expect(namesOf(placed(fields, 0, 'size'))).toEqual(['size', 'id', 'country'])
  expect(namesOf(placed(fields, 2, null))).toEqual(['country', 'id', 'size'])
  expect(placed(fields, 1, 'id')).toEqual(fields)
  expect(isReordered(placed(fields, 2, 'id'), SCHEMA)).toBe(true)
  const added = placed([...fields, { ...emptyField(), name: 'note' }], 3, 'id')
  expect(isReordered(added, SCHEMA)).toBe(false)
  expect(isReordered(edited('size', { isRemoved: true }), SCHEMA)).toBe(false)
})
