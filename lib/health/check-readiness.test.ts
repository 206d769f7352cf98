import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { withBudget } from '@/lib/db/budget'
import type { Storage } from '@/lib/storage/storage'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { checkReadiness } from './check-readiness'

test('a storage whose first check is slow is up as soon as the check has ended well', async () => {
  const deps = await testDeps()
  let respond = () => {}
  const check = () =>
    new Promise<void>((resolve) => {
      respond = resolve
    })
  const current = { ...deps.storage.current, check } as Storage
  const slow = { ...deps, storage: { ...deps.storage, current } }
  expect((await checkReadiness(slow, 200)).storage.status).toBe('down')
  respond()
  expect((await checkReadiness(slow, 2_000)).storage.status).toBe('up')
})

test.skipIf(testsOnPostgres())('the embedded database is ready while it is busy', async () => {
  const deps = await testDeps()
  const left = new AbortController()
  const long = withBudget({ signal: left.signal }, () =>
    deps.db.execute(sql`select count(*) from generate_series(1, 1000000000)`),
  ).catch(() => {})
  expect(await checkReadiness(deps, 200)).toMatchObject({ status: 'ready' })
  left.abort()
  await long
})
