import { describe, expect, it } from 'vitest'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import {
  changesOf,
  draftOf,
  forcedColumns,
  formColumns,
  parseText,
  readDraft,
  readOnlyColumns,
} from './draft'
import type { ColumnDescription, EntityRecord } from './types'

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
    ['float', 'ten', { error: 'Enter a number' }],
    ['boolean', 'false', { value: false }],
    ['array', '[1]', { value: [1] }],
  ] as const)('%s %s', (kind, text, expected) => {
    expect(parseText(text, column({ kind }))).toEqual(expected)
  })

  it('must be there when the field is required', () => {
    expect(parseText(' ', column({ rules: { required: true } }))).toEqual({
      error: 'Enter a value',
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
  const before = { a: 1, b: { c: [1] }, removed: 'x' }
  expect(changesOf(before, { a: 1, b: { c: [1, 2] }, d: true })).toEqual({
    removed: null,
    b: { c: [1, 2] },
    d: true,
  })
})

describe('numbers that a double can’t hold', () => {
  const DIGITS = '9007199254740993'
  const LONG = '12345678901234567890.123456789012345678'
  const text = `{"persistenceId":"${DIGITS}","id":${DIGITS},"big":${DIGITS},"exact":${LONG},"note":{"of":[${DIGITS}]},"a":"x"}`
  const record = parseExactJson(text) as EntityRecord
  const columns = [
    column({ name: 'id', key: true, kind: 'integer' }),
    column({}),
    column({ name: 'big', kind: 'integer' }),
    column({ name: 'exact', kind: 'decimal' }),
    column({ name: 'note', kind: 'json' }),
  ]

  it('stand in the form with all their digits', () => {
    expect(draftOf(record, columns)).toMatchObject({
      id: DIGITS,
      big: DIGITS,
      exact: LONG,
      note: `{\n  "of": [\n    ${DIGITS}\n  ]\n}`,
    })
  })

  it('are not sent beside another field that was edited', () => {
    const before = draftOf(record, columns)
    expect(readDraft({ ...before, a: 'y' }, before, columns).values).toEqual({ a: 'y' })
  })

  it('are sent to the last digit when their own field is edited', () => {
    const before = draftOf(record, columns)
    const note = before.note?.replace('993', '995') ?? ''
    const { values } = readDraft({ ...before, note, big: `-${DIGITS}` }, before, columns)
    expect(exactJsonText(values)).toBe(`{"big":"-${DIGITS}","note":{"of":[9007199254740995]}}`)
  })

  it('are compared to the last digit when the record is edited as JSON', () => {
    const after = parseExactJson(text.replace('"a":"x"', '"a":"y"')) as EntityRecord
    expect(changesOf(record, after)).toEqual({ a: 'y' })
    const next = parseExactJson(text.replace(`"big":${DIGITS}`, '"big":9007199254740992'))
    expect(exactJsonText(changesOf(record, next as EntityRecord))).toBe('{"big":9007199254740992}')
  })

  it('may be the values of a choice', () => {
    const rules = { enum: [parseExactJson(DIGITS)] } as unknown as ColumnDescription['rules']
    const parsed = parseText(DIGITS, column({ kind: 'decimal', rules }))
    expect(exactJsonText(parsed)).toBe(`{"value":${DIGITS}}`)
  })
})

it('has no field that policies let nobody write', () => {
  const columns = [
    column({ name: 'a' }),
    column({ name: 'b', readOnlyFor: ['update'] }),
    column({ name: 'c', readOnlyFor: ['write'] }),
  ]
  const names = (isNew: boolean) => formColumns(columns, isNew).map(({ name }) => name)
  expect(names(true)).toEqual(['a', 'b'])
  expect(names(false)).toEqual(['a', 'c'])
  expect(readOnlyColumns(columns).map(({ name }) => name)).toEqual(['b'])
})

it('has no field that a policy sets, which is shown apart', () => {
  const columns = [
    column({ name: 'a' }),
    column({ name: 'b', setFor: ['update'], readOnlyFor: ['update'] }),
    column({ name: 'c', setFor: ['write'] }),
  ]
  const names = (found: readonly { name: string }[]) => found.map(({ name }) => name)
  expect(names(formColumns(columns, true))).toEqual(['a', 'b'])
  expect(names(formColumns(columns, false))).toEqual(['a', 'c'])
  expect(names(forcedColumns(columns, true))).toEqual(['c'])
  expect(names(forcedColumns(columns, false))).toEqual(['b'])
  expect(readOnlyColumns(columns)).toEqual([])
})
