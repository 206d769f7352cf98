import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startBackgroundJobs, startUploadSweeps } from './background-jobs'
import { installs } from './db/schema'
import { testDeps } from './testing/deps'

test('the first round closes what a dead process left: installs and uploads', async () => {
  const deps = await testDeps()
  const upload = join(deps.settings.DATA_DIR, 'tmp', 'upload-of-a-dead-process')
  mkdirSync(dirname(upload), { recursive: true })
  writeFileSync(upload, 'x')
  utimesSync(upload, 0, 0)
  await deps.db.insert(installs).values({ source: 'a.zip', sha256: '', status: 'IN_PROGRESS' })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }) // only the first round is wanted
  await Promise.all([startUploadSweeps(deps), startBackgroundJobs(deps)]).finally(() =>
    vi.useRealTimers(),
  )
  expect(await deps.db.select({ status: installs.status }).from(installs)).toEqual([
    { status: 'FAILED' },
  ])
  expect(existsSync(upload)).toBe(false)
})
