import { expect, test, vi } from 'vitest'
import { AppError } from './errors'

test('an AppError is one, whichever bundle made it', async () => {
  vi.resetModules()
  const other = await import('./errors')
  expect(other.AppError).not.toBe(AppError)
  expect(new other.AppError('conflict', 'Taken')).toBeInstanceOf(AppError)
  expect(new AppError('conflict', 'Taken')).toBeInstanceOf(AppError)
  for (const none of [new Error('x'), null, undefined, { name: 'AppError' }, 'AppError'])
    expect(none).not.toBeInstanceOf(AppError)
})
