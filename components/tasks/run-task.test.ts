import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { losesOnUnload } from '@/components/drafts/unsaved'
import { localTasks } from './local-tasks'
import { isCancelled, runTask } from './run-task'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SHOWN = {
  title: 'Exporting City',
  href: '/entities/City',
  done: 0,
  total: null,
  progress: '',
}
const shown = localTasks

test('what takes long is shown with its progress until it ends', async () => {
  let end = (_: string) => {}
  const result = runTask(SHOWN, async ({ change }) => {
    change({ progress: '1 kB' })
    return new Promise<string>((resolve) => {
      end = resolve
    })
  })
  expect(shown()).toEqual([])
  expect(losesOnUnload()).toBe(true)
  vi.advanceTimersByTime(500)
  expect(shown()).toMatchObject([{ title: 'Exporting City', progress: '1 kB', needsTab: true }])
  end('done')
  expect(await result).toBe('done')
  expect(shown()).toEqual([])
  expect(losesOnUnload()).toBe(false)
})

test('what is over soon is never shown', async () => {
  await runTask(SHOWN, async () => {})
  vi.advanceTimersByTime(500)
  expect(shown()).toEqual([])
})

test('cancelling stops the work', async () => {
  const result = runTask(
    SHOWN,
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  ).catch((error) => error)
  vi.advanceTimersByTime(500)
  await shown()[0]?.cancel?.()
  expect(isCancelled(await result)).toBe(true)
  expect(shown()).toEqual([])
})
