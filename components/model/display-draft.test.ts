import { expect, test } from 'vitest'
import { draftsOf, emptyField, type FieldDraft } from './field-draft'
import { editsOf, rebased } from './field-list'
import type { Meta, WrittenSchema } from './written'
import { editedFields } from './written-field'

const SCHEMA: WrittenSchema = {
  name: 'Order',
  properties: [
    {
      ...{ name: 'status', type: 'string' },
      meta: {
        enum: [
          'new',
          { value: 'paid', label: 'Paid', color: 'green', 'x-of': 1 },
          { value: 'off' },
        ],
        ...{ group: 'State', hint: 'Set by the shop', hidden: { list: true, 'x-of': 2 } },
      },
    },
    { name: 'level', type: 'integer', meta: { enum: [1, { value: 2, label: 'High' }] } },
    {
      ...{ name: 'price', type: 'decimal' },
      meta: { numberFormat: { currency: 'EUR', decimals: 2, grouping: false }, unit: 'net' },
    },
    { name: 'data', type: 'json', meta: { enum: [{ value: 1, label: 'one' }] } },
  ],
}

/** The rules of a field with what was edited of its display, and of the field. */
function metaOf(
  name: string,
  display: Partial<FieldDraft['display']>,
  part: Partial<FieldDraft> = {},
): Meta | undefined {
  const fields = draftsOf(SCHEMA).map((field) =>
    field.name === name ? { ...field, ...part, display: { ...field.display, ...display } } : field,
  )
  return editedFields(fields).find((field) => field.name === name)?.meta
}
const former = (name: string) => SCHEMA.properties.find((field) => field.name === name)?.meta

test.each(SCHEMA.properties)('$name is written as it was, whatever else is edited', ({ name }) => {
  expect(editedFields(draftsOf(SCHEMA))).toEqual(SCHEMA.properties)
  const label = metaOf(name, {}, { label: 'Another' })
  if (name !== 'status') expect(label).toEqual(former(name))
  expect(metaOf('status', {}, { label: 'Another' })).toEqual({
    ...former('status'),
    enum: ['new', { value: 'paid', label: 'Paid', color: 'green', 'x-of': 1 }, 'off'],
  })
})

test('choices get labels and colours, and lose them', () => {
  const labels = { new: ' Just in ', paid: '' }
  expect(metaOf('status', { labels, colors: { off: 'red' } })?.enum).toEqual([
    { value: 'new', label: 'Just in' },
    { value: 'paid', 'x-of': 1 },
    { value: 'off', color: 'red' },
  ])
  expect(metaOf('level', { labels: { '1': 'Low' } })?.enum).toEqual([{ value: 1, label: 'Low' }, 2])
  expect(metaOf('status', {}, { choices: ['paid', 'late'] })?.enum).toEqual([
    { value: 'paid', label: 'Paid', color: 'green', 'x-of': 1 },
    'late',
  ])
  expect(draftsOf(SCHEMA).map(({ choices }) => choices)).toEqual([
    ['new', 'paid', 'off'],
    ['1', '2'],
    [],
    [expect.stringContaining('"label"')],
  ])
})

test('group, hint, unit and what is hidden are set and taken away', () => {
  expect(metaOf('status', { group: '', hint: ' Why ', isHidden: false })).toEqual({
    enum: ['new', { value: 'paid', label: 'Paid', color: 'green', 'x-of': 1 }, 'off'],
    hint: 'Why',
    hidden: { 'x-of': 2 },
  })
})

test('a number is written as was chosen', () => {
  expect(metaOf('price', { style: 'percent', decimals: '', isUngrouped: false })).toEqual({
    ...{ numberFormat: { style: 'percent' }, unit: 'net' },
  })
  expect(metaOf('price', { currency: ' usd' })?.numberFormat).toEqual({
    ...{ currency: 'USD', decimals: 2, grouping: false },
  })
  expect(metaOf('price', { decimals: 'few', unit: '' })).toMatchObject({
    numberFormat: { decimals: 'few' },
  })
  expect(metaOf('price', {}, { type: 'string' })).toBeUndefined()
})

test('edits that an earlier version kept go on without what it did not know', () => {
  const old = ({ display: _, ...field }: FieldDraft) => field as FieldDraft
  const [status] = draftsOf(SCHEMA)
  const kept = [old({ ...(status as FieldDraft), label: 'State' }), old(emptyField())]
  const fields = rebased([...kept, ...draftsOf(SCHEMA).slice(1)], SCHEMA)
  expect(editsOf(fields)).toEqual(['Change status', 'New field '])
  expect(editedFields(fields)[0]).toMatchObject({ label: 'State', meta: { group: 'State' } })
})
