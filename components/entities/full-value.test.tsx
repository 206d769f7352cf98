import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FullValue, isWide } from './full-value'
import type { ColumnDescription } from './types'

const column = { name: 'tags', kind: 'json', rules: {} } as unknown as ColumnDescription
const record = { persistenceId: '1' }

test('a list without items is said to be empty, beside its name as in the table', () => {
  expect(isWide([], column)).toBe(false)
  expect(renderToStaticMarkup(<FullValue value={[]} {...{ column, record }} />)).toContain(
    'empty list',
  )
  expect(isWide([[1]], column)).toBe(true)
})
