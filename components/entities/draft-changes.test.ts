import { expect, test } from 'vitest'
import type { ColumnDescription, EntityRecord } from './types'
import { changesOfJson, changesOfTexts } from './use-record-input'

const column = (name: string, kind: string, rules = {}) =>
  ({ name, kind, type: kind, key: false, label: null, rules }) as unknown as ColumnDescription

const COLUMNS = [
  column('title', 'text', { required: true }),
  column('pages', 'integer'),
  column('note', 'text'),
]
const RECORD = { persistenceId: '1', title: 'Theirs', pages: 3 } as EntityRecord

test('each typed field has the stored value and its own', () => {
  expect(changesOfTexts({ title: 'Mine', pages: '', note: 'x' }, RECORD, COLUMNS)).toEqual([
    { field: 'title', before: 'Theirs', after: 'Mine' },
    { field: 'pages', before: 3, after: null },
    { field: 'note', before: null, after: 'x' },
  ])
})

test('a text that is no value is shown as it is', () => {
  expect(changesOfTexts({ title: '', pages: 'many' }, RECORD, COLUMNS)).toEqual([
    { field: 'title', before: 'Theirs', after: '' },
    { field: 'pages', before: 3, after: 'many' },
  ])
})

test('JSON has the fields that differ, null for those that went', () => {
  expect(changesOfJson('{ "title": "Mine", "note": "x" }', RECORD)).toEqual([
    { field: 'pages', before: 3, after: null },
    { field: 'title', before: 'Theirs', after: 'Mine' },
    { field: 'note', before: null, after: 'x' },
  ])
  expect(changesOfJson('{', RECORD)).toEqual([])
})
