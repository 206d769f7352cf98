import fc from 'fast-check'
import { test } from 'vitest'
import type { InstallMode } from '@/lib/installs/contract'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { randomVersions } from '@/lib/testing/random-plugin'
import { checkDryRun } from '../../testing/check-dry-run'
import { randomEdit } from '../../testing/make-edit'

const deps = freshDeps()

test('a dry run of any plugin over any edits equals what the install then does, and leaves nothing behind', async () => {
  const modes = fc.constantFrom<InstallMode>('partial', 'atomic')
  const edits = fc.array(randomEdit, { maxLength: 3 })
  const property = fc.asyncProperty(randomVersions, modes, edits, async (versions, mode, made) => {
    await testDeps()
    await checkDryRun(deps, ...versions, mode, made)
  })
  await fc.assert(property, { ...budget(3, 1), endOnFailure: true })
}, 36_000_000)
