import { expect, test, vi } from 'vitest'
import { AppError, messageOf } from './errors'

test('an AppError is one, whichever bundle made it', async () => {
  vi.resetModules()
  const other = await import('./errors')
  expect(other.AppError).not.toBe(AppError)
  expect(new other.AppError('conflict', 'Taken')).toBeInstanceOf(AppError)
  expect(new AppError('conflict', 'Taken')).toBeInstanceOf(AppError)
  for (const none of [new Error('x'), null, undefined, { name: 'AppError' }, 'AppError'])
    expect(none).not.toBeInstanceOf(AppError)
})

test.each([
  [new Error('what failed'), 'what failed'],
  [new TypeError(''), 'TypeError'],
  [{ name: 'ErrnoError', errno: 51 }, 'ErrnoError {"name":"ErrnoError","errno":51}'],
  [{ message: 'not an Error' }, 'not an Error'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('the message of what was thrown is readable: %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
