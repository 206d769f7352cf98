import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import type { FaultGroup } from '@/lib/definitions/definition-faults'
import { parseExactJson } from '@/lib/values/exact-json'
import { toCsv } from './download-log'
import { WarningSummary } from './file-details'
import { FileReports } from './file-reports'
import type { FileLog } from './searches'

const file = (part: Partial<FileLog>): FileLog => ({
  path: 'Book/data.json',
  target: 'Book',
  status: 'failed',
  error: null,
  details: [],
  detailCount: 0,
  groups: [],
  warnings: [],
  changes: [],
  records: { created: 0, updated: 0, unchanged: 0, failed: 0 },
  conflicts: [],
  conflictCount: 0,
  removed: { total: 0, deleted: 0 },
  deleted: { kept: 0, restored: 0 },
  durationMs: 1,
  ...part,
})

const textOf = (node: ReactNode) => textIn(renderToStaticMarkup(node))

const textIn = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, '|')
    .replace(/&quot;/g, '"')
    .replace(/\|+/g, '|')

const ADMINISTRATOR = { userId: '1', email: 'a@b.c', roles: ['ADMIN'], policies: [] }

test('faults that are in no group are listed', () => {
  const details = [{ message: 'EngineEntities "Customer" is not installed', line: 3 }]
  const failed = file({ error: 'Missing dependency', details, detailCount: 1 })
  const markup = renderToStaticMarkup(<FileReports files={[failed]} />)
  expect(textIn(markup)).toContain('|EngineEntities "Customer" is not installed|')
  expect(markup).toContain('Where: <')
  expect(markup).not.toContain('one by one')
})

test('stored records that a rule forbids are one line a value, with the way to all of them', () => {
  const group = {
    ...{ entity: 'Book', rule: 'enum', field: 'tier', value: 'old', allowed: ['free', 'pro'] },
    ...{ message: '', total: 167, keys: [7, parseExactJson('9007199254740993')], indexes: [] },
    filter: [{ field: 'tier', operator: 'eq', value: 'old' }],
  } as FaultGroup
  const details = [{ index: 0, key: 7, value: 'old', message: 'tier must be one of' }]
  const failed = file({ error: 'Incompatible change', groups: [group], details, detailCount: 167 })
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{ prefetch: () => {} } as never}>
      <ViewerProvider viewer={ADMINISTRATOR}>
        <FileReports files={[failed]} />
      </ViewerProvider>
    </AppRouterContext>,
  )
  const text = textIn(markup)
  expect(text).toContain('|167 stored records have tier = old|(allowed: free, pro)|')
  expect(text).toContain('|Keys: |7, 9007199254740993| and 165 more|')
  expect(text).toContain('|Show these 167 in Book|')
  expect(text).not.toContain('record 0')
  const href = /href="([^"]+)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const filter = new URL(href, 'http://localhost').searchParams.get('filter') ?? ''
  expect(JSON.parse(filter)).toEqual(group.filter)
})

test('faults of a file that have nothing in common are listed with their places', () => {
  const group = { entity: null, rule: 'min', field: 'size', message: '' } as const
  const groups: FaultGroup[] = [{ ...group, total: 1, keys: [], indexes: [0], filter: null }]
  const details = [{ index: 0, pointer: '/size', message: 'must be at least 0' }]
  const text = textOf(<FileReports files={[file({ groups, details, detailCount: 1 })]} />)
  expect(text).toContain('|record 1 /size|must be at least 0|')
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
