import { expect, test, vi } from 'vitest'
import { installTasks } from './install-tasks'

const archive = { id: 'a', name: 'shop.zip', size: 2048, sent: 512 }

test('an archive on its way needs the tab and can be given up', () => {
  const remove = vi.fn()
  const [task] = installTasks([{ ...archive, step: 'install', state: 'running' }], remove)
  expect(task).toMatchObject({
    ...{ id: 'a', title: 'Sending shop.zip', done: 512, total: 2048, needsTab: true },
  })
  task?.cancel?.()
  expect(remove).toHaveBeenCalledWith('a')
})

test('how long a check takes is not known once the archive has arrived', () => {
  const item = { ...archive, sent: 2048, step: 'check', state: 'running' } as const
  expect(installTasks([item], () => {})).toMatchObject([
    { title: 'Checking shop.zip', total: null, progress: '' },
  ])
})

test('an install goes on without the tab and is the task that the server reports', () => {
  const install = { pluginName: 'Shop', processedFiles: 3, totalFiles: 12, failedCount: 1 }
  const item = { ...archive, step: 'install', state: 'running', historyId: 7, install } as const
  expect(installTasks([item], () => {})).toMatchObject([
    {
      ...{ id: 'install-7', title: 'Installing Shop', done: 3, total: 12, needsTab: false },
      ...{ progress: '3 of 12 files', errors: '1 file failed', href: '/plugins/history/7' },
    },
  ])
})

test('what waits for a decision, or is over, is no task', () => {
  const items = [
    { ...archive, step: 'check', state: 'done' },
    { ...archive, step: 'install', state: 'done', historyId: 7 },
    { ...archive, step: 'install', state: 'failed' },
  ] as const
  expect(installTasks(items, () => {})).toEqual([])
})
