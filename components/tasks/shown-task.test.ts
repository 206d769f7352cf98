import { expect, test } from 'vitest'
import { chipLabel, mergeTasks, percentOf, type ShownTask } from './shown-task'

const task = (part: Partial<ShownTask>): ShownTask => ({
  ...{ id: 'install-1', title: 'Installing Shop', done: 0, total: null, progress: '' },
  ...{ by: null, errors: null, href: '/', needsTab: false, cancel: null, ...part },
})

test.each([
  [0, 8, 0],
  [5, 8, 62],
  [8, 8, 99],
  [9, 8, 99],
  [0, 0, null],
  [3, null, null],
])('%i of %s are %s percent: never all of it while it runs', (done, total, percent) => {
  expect(percentOf({ done, total })).toBe(percent)
})

test('the chip names one task, and counts several', () => {
  const half = task({ done: 5, total: 8 })
  expect(chipLabel([])).toBe('')
  expect(chipLabel([task({})])).toBe('Installing Shop')
  expect(chipLabel([half])).toBe('Installing Shop 62 %')
  expect(chipLabel([half, task({ id: 'install-2' })])).toBe('2 running')
})

test('what this tab follows itself is not listed twice', () => {
  const [mine, same, other] = [task({ done: 3 }), task({ done: 2 }), task({ id: 'install-2' })]
  expect(mergeTasks([mine], [same, other])).toEqual([mine, other])
})
