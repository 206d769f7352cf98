import { expect, test } from 'vitest'
import type { Task } from '@/lib/tasks/contract'
import { toShown } from './server-tasks'

const TASK: Omit<Task, 'kind'> = {
  ...{ id: '7', name: 'Shop', startedBy: 'ann@example.com', startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ done: 3, total: 8, failed: 0, dryRun: false },
}

test.each([
  ['install', 'Installing Shop', '/plugins/history/7'],
  ['uninstall', 'Uninstalling Shop', '/plugins/history/7'],
  ['restore', 'Restoring Shop', '/plugins/history/7'],
  ['rollback', 'Rolling back Shop', '/plugins/history/7'],
  ['export', 'Exporting Shop', '/exports'],
  ['import', 'Importing into Shop', '/entities/Shop?import=7'],
  ['promotion', 'Promoting with Shop', '/settings/servers'],
] as const)('a running %s is called %s', (kind, title, href) => {
  expect(toShown({ ...TASK, kind }, true)).toMatchObject({ title, href })
})

test('a dry run of an import does not pass for one', () => {
  expect(toShown({ ...TASK, kind: 'import', dryRun: true }, true).title).toBe(
    'Checking a file for Shop',
  )
})

test('only who may install can cancel what is done to plugins', () => {
  expect(toShown({ ...TASK, kind: 'rollback' }, false).cancel).toBeNull()
})
