import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validateArchive } from '@/lib/archives/validate-archive'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { freshDeps } from '@/lib/testing/deps'
import { upload } from '../../testing/plugin-api'

const deps = freshDeps()
const SAMPLES = 'public/samples'

describe('every sample', () => {
  test.each(readdirSync(SAMPLES).filter((name) => name.endsWith('.zip')))(
    '%s: what is invalid is what fails on an empty database',
    async (name) => {
      const zip = readFileSync(join(SAMPLES, name))
      const { files } = await validateArchive(zip, deps.settings)
      const response = await upload(deps, zip, { query: '?dryRun=true' })
      const plan: InstallPreview = response.body.data.plan
      const failing = plan.files.filter(({ status }) => status === 'failed')
      const known = files.filter(({ status }) => status !== 'valid')
      // Conflicts among records need a database.
      const expected = failing.filter(({ error }) => error !== 'Conflict Issue!')
      expect(known.map(({ path, error }) => [path, error]).sort()).toEqual(
        expected.map(({ path, error }) => [path, error]).sort(),
      )
    },
  )
})
