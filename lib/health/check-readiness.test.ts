import { expect, test } from 'vitest'
import type { Storage } from '@/lib/storage/storage'
import { testDeps } from '@/lib/testing/deps'
import { checkReadiness } from './check-readiness'

test('a storage whose first check is slow is up as soon as the check has ended well', async () => {
  const deps = await testDeps()
  let answer = () => {}
  const check = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  const current = { ...deps.storage.current, check } as Storage
  const slow = { ...deps, storage: { ...deps.storage, current } }
  expect((await checkReadiness(slow, 200)).storage.status).toBe('down')
  answer()
  expect((await checkReadiness(slow, 2_000)).storage.status).toBe('up')
})
