import { expect, test } from 'vitest'
import { whenSettled } from './when-settled'

test.each([
  ['has a result', async () => 'result', 'result'],
  ['fails', () => Promise.reject(new Error('late')), 'Error: late'],
  [
    'fails before there is a promise',
    () => {
      throw new Error('at once')
    },
    'Error: at once',
  ],
])('work that %s is ended once, and its outcome passed on', async (_, work, outcome) => {
  let ends = 0
  const settled = (async () => whenSettled<string>(work, () => ends++))()
  await expect(settled.catch(String)).resolves.toBe(outcome)
  expect(ends).toBe(1)
})
