import { describe, expect, it } from 'vitest'
import { changesOf, draftOf, formColumns, parseText, readDraft } from './draft'
import type { ColumnDescription } from './types'

const column = (part: Partial<ColumnDescription>): ColumnDescription => ({
  name: 'a',
  label: null,
  description: null,
  type: 'string',
  kind: 'text',
  key: false,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
  ...part,
})

describe('a field’s text', () => {
  it.each([
    ['text', '', { value: null }],
    ['text', ' x ', { value: ' x ' }],
    ['integer', '42', { value: 42 }],
    ['integer', '9007199254740993', { value: '9007199254740993' }],
    ['decimal', '1.10', { value: '1.10' }],
    ['float', 'ten', { error: 'Type a number' }],
    ['boolean', 'false', { value: false }],
    ['array', '[1]', { value: [1] }],
  ] as const)('%s %s', (kind, text, expected) => {
    expect(parseText(text, column({ kind }))).toEqual(expected)
  })

  it('must be there when the field is required', () => {
    expect(parseText(' ', column({ rules: { required: true } }))).toEqual({
      error: 'Needs a value',
    })
  })

  it('says what is wrong with JSON', () => {
    expect(parseText('{', column({ kind: 'json' }))).toMatchObject({
      error: expect.stringContaining('Not valid JSON'),
    })
  })
})

describe('a draft', () => {
  const columns = [
    column({ name: 'id', key: true }),
    column({}),
    column({ name: 'n', kind: 'integer' }),
  ]

  it('of a new record leaves out what is not given', () => {
    expect(readDraft({ n: '3' }, null, columns)).toEqual({ values: { n: 3 }, errors: {} })
  })

  it('of an old record sends what changed, emptied fields as null', () => {
    const before = draftOf({ persistenceId: '1', id: '1', a: 'x', n: 3 }, columns)
    const { values } = readDraft({ ...before, a: '' }, before, columns)
    expect(values).toEqual({ a: null })
  })

  it('never asks for a key of an old record or for what the server writes', () => {
    const all = [...columns, column({ name: 'CreatedAt' }), column({ name: 'x', declared: false })]
    expect(formColumns(all, false).map(({ name }) => name)).toEqual(['a', 'n'])
  })
})

it('sends of edited JSON what differs, and null for what was taken away', () => {
  const before = { a: 1, b: { c: [1] }, gone: 'x' }
  expect(changesOf(before, { a: 1, b: { c: [1, 2] }, d: true })).toEqual({
    gone: null,
    b: { c: [1, 2] },
    d: true,
  })
})
