import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateArchive } from '@/lib/archives/validate-archive'
import { AppError } from '@/lib/errors'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { archiveOf } from '@/lib/testing/archive'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { randomVersions } from '@/lib/testing/random-plugin'
import { upload } from '../../testing/plugin-api'

const deps = freshDeps()

/** Verdicts that need no database. */
const OFFLINE = ['Invalid JSON', 'Invalid definition', 'Invalid record']

/** Of the archive as a whole. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

test('what is invalid without a server fails for the same reason on an empty one, and the reverse', async () => {
  const property = fc.asyncProperty(randomVersions, async ([files]) => {
    await testDeps()
    const archive = await archiveOf(files)
    const offline = await validateArchive(archive, deps.settings).catch(refusalOf)
    const { body } = await upload(deps, archive, { query: '?dryRun=true' })
    if (offline instanceof AppError) {
      expect(body).toEqual({ status: 400, error: offline.message })
      return
    }
    const plan: InstallPreview = body.data.plan
    const onServer = new Map(plan.files.map((file) => [file.path, file]))
    for (const { path, status, error } of offline.files)
      if (status === 'invalid') expect([path, onServer.get(path)?.error]).toEqual([path, error])
    const statuses = new Map(offline.files.map(({ path, status }) => [path, status]))
    for (const { path, error, details } of plan.files)
      if (OFFLINE.includes(error ?? ''))
        expect([path, statuses.get(path), details]).not.toEqual([path, 'valid', details])
  })
  await fc.assert(property, budget(6, 1))
}, 36_000_000)
