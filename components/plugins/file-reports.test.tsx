import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseExactJson } from '@/lib/values/exact-json'
import { toCsv } from './download-log'
import { FileReports } from './file-reports'
import { WarningSummary } from './file-warnings'
import type { FileLog } from './types'

const file = (part: Partial<FileLog>): FileLog => ({
  path: 'Book/data.json',
  target: 'Book',
  status: 'failed',
  error: null,
  details: [],
  detailCount: 0,
  warnings: [],
  changes: [],
  records: { created: 0, updated: 0, unchanged: 0, failed: 0 },
  conflicts: [],
  conflictCount: 0,
  removed: { total: 0, deleted: 0 },
  durationMs: 1,
  ...part,
})

const textOf = (node: ReactNode) =>
  renderToStaticMarkup(node)
    .replace(/<[^>]+>/g, '|')
    .replace(/&quot;/g, '"')
    .replace(/\|+/g, '|')

test('an incompatible change shows the key of each record and how many there are in all', () => {
  const details = [
    { key: 7, value: 'x', message: 'must be a number' },
    { key: parseExactJson('9007199254740993') as never, message: 'must be a number' },
  ]
  const text = textOf(
    <FileReports files={[file({ error: 'Incompatible change', details, detailCount: 167 })]} />,
  )
  expect(text).toContain('|Key|Problem|Value|')
  expect(text).toContain('|7|must be a number|"x"|')
  expect(text).toContain('|9007199254740993|must be a number|')
  expect(text).toContain('The first 2 of 167 errors.')
})

const warned = file({
  path: 'EngineSchemas/Book.json',
  target: 'EngineSchemas',
  status: 'created',
  warnings: [
    { index: 0, pointer: '/properties/0', message: 'Unknown key "requierd" is ignored' },
    { message: 'Unknown key "dependancies" is ignored' },
  ],
})

test('warnings stand at their file with their place and number, whatever became of it', () => {
  const text = textOf(<FileReports files={[warned, file({ status: 'created' })]} />)
  expect(text).toContain('|2 warnings|')
  expect(text).toContain('|/properties/0|Unknown key "requierd" is ignored|')
  expect(text).toContain('|With warnings |1|')
})

test('the plan and the history say how many warnings there are in how many files', () => {
  expect(textOf(<WarningSummary files={[warned, warned, file({})]} />)).toContain(
    '4 warnings in 2 files',
  )
  const many = file({ warnings: Array.from({ length: 100 }, () => ({ message: 'x' })) })
  expect(textOf(<WarningSummary files={[many]} />)).toContain('100 warnings or more in 1 file')
  expect(textOf(<WarningSummary files={[file({})]} />)).toBe('')
})

test('the log as CSV has a line for each fault and each warning', () => {
  const lines = toCsv([warned, file({ details: [{ key: 7, message: 'bad' }] })]).split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('warning,"Unknown key ""requierd"" is ignored"')
  expect(lines[3]).toContain('7,,error,bad')
})
