import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError, type ErrorCode } from '@/lib/errors'
import { guarded } from './guarded'
import type { Storage } from './storage'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => vi.useRealTimers())

/** A storage whose next removals fail with these codes, and the number of calls that reached it. */
function failing(...codes: (ErrorCode | null)[]) {
  let calls = 0
  const remove = async () => {
    calls++
    const code = codes.shift()
    if (code) throw new AppError(code, 'failed')
  }
  const nothing = async () => {
    throw new Error('not asked for')
  }
  const storage: Storage = {
    provider: 'local',
    keyFor: () => 'key',
    put: nothing,
    label: nothing,
    describe: nothing,
    check: nothing,
    remove,
  }
  return { storage, calls: () => calls }
}
const five = Array<ErrorCode>(5).fill('upstream_failed')
const outcome = (storage: Storage) =>
  storage.remove('key').then(
    () => 'ok',
    (error: AppError) => error.options.retryAfter ?? 'failed',
  )

test('after five failures in a row nothing goes through for 30 seconds, then one call', async () => {
  const { storage, calls } = failing(...five, 'upstream_timeout', null)
  const guard = guarded(storage)
  for (let failure = 0; failure < 5; failure++) expect(await outcome(guard)).toBe('failed')
  expect(await outcome(guard)).toBe(30)
  vi.setSystemTime(29_001)
  expect(await outcome(guard)).toBe(1)
  expect(calls()).toBe(5)
  vi.setSystemTime(30_000)
  expect(await Promise.all([outcome(guard), outcome(guard)])).toEqual(['failed', 30])
  vi.setSystemTime(60_000)
  expect(await outcome(guard)).toBe('ok')
  expect(await outcome(guard)).toBe('ok')
})

test('a success in between resets the count', async () => {
  const { storage, calls } = failing(...five.slice(1), null, ...five.slice(1))
  const guard = guarded(storage)
  for (let call = 0; call < 10; call++) await outcome(guard)
  expect(calls()).toBe(10)
})

test('failures that are not the storage’s do not count', async () => {
  const { storage, calls } = failing(...Array<ErrorCode>(9).fill('invalid_input'))
  const guard = guarded(storage)
  for (let call = 0; call < 9; call++) await outcome(guard)
  expect(calls()).toBe(9)
})
