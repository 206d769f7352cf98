import fc from 'fast-check'
import { test } from 'vitest'
import type { InstallMode } from '@/lib/plugins/contract'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { randomVersions } from '@/lib/testing/random-plugin'
import { checkDryRun } from '../../testing/check-dry-run'

const deps = freshDeps()

test('a dry run of any plugin equals what the install then does, and leaves nothing behind', async () => {
  const modes = fc.constantFrom<InstallMode>('partial', 'atomic')
  const property = fc.asyncProperty(randomVersions, modes, async (versions, mode) => {
    await testDeps()
    await checkDryRun(deps, ...versions, mode)
  })
  await fc.assert(property, { numRuns: 25 })
}, 300_000)
