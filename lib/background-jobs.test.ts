import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { startBackgroundJobs } from './background-jobs'
import { rows } from './db/rows'
import { testDeps } from './testing/deps'

test('the first round closes what a dead process left: installs and uploads', async () => {
  const deps = await testDeps()
  const upload = join(deps.settings.DATA_DIR, 'tmp', 'upload-of-a-dead-process')
  mkdirSync(dirname(upload), { recursive: true })
  writeFileSync(upload, 'x')
  utimesSync(upload, 0, 0)
  await deps.db.execute(
    sql`insert into engine.installs (source, sha256, status) values ('a.zip', '', 'IN_PROGRESS')`,
  )
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }) // only the first round is wanted
  await startBackgroundJobs(deps).finally(() => vi.useRealTimers())
  expect(await rows(deps.db, sql`select status from engine.installs`)).toEqual([
    { status: 'FAILED' },
  ])
  expect(existsSync(upload)).toBe(false)
})
