import { expect, test } from 'vitest'
import type { ColumnDescription } from '../types'
import { whyNotEditable } from './cell-editor'

const column = (more: Partial<ColumnDescription> = {}): ColumnDescription => ({
  ...{ name: 'note', label: null, description: null, type: 'string', kind: 'text', key: false },
  ...{ declared: true, hidden: false, operators: [], rules: {} },
  ...more,
})

test('a declared field is editable', () => {
  expect(whyNotEditable(column(), true)).toBeNull()
})

test.each([
  [column({ name: 'id', key: true }), 'key'],
  [column({ rules: { computed: 'a + b' } }), 'computed'],
  [column({ name: 'CreatedAt' }), 'set by the server'],
  [column({ declared: false }), 'not declared'],
  [column({ readOnlyFor: ['update'] }), 'right to change Note'],
])('%#: the reason is said', (one, reason) => {
  expect(whyNotEditable(one, true)).toContain(reason)
})

test('without the right to change records nothing is editable', () => {
  expect(whyNotEditable(column(), false)).toContain('right')
})
