import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { ENTITIES, FIELDS, TYPES, VALUES } from '@/lib/testing/random-definitions'
import { randomVersions } from '@/lib/testing/random-plugin'
import { randomApiEdits } from '../../testing/api-edits'
import { checkRoundTrip } from '../../testing/check-round-trip'

const deps = freshDeps()

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TYPES).chain((type): fc.Arbitrary<unknown> => VALUES[type]),
  fc.constantFrom<unknown>(null, 'a', 1, '${config.id}', 'x ${manifest.dollar} ${config.x}'),
)
const edits = randomApiEdits(ENTITIES, [...FIELDS, 'id', 'extra', 'more'], value)

const RUNS = budget(3, 1)

test('a plugin that is exported, uninstalled and installed from its export is the same', async () => {
  let compared = 0
  const property = fc.asyncProperty(randomVersions, edits, async (versions, made) => {
    await testDeps()
    if (await checkRoundTrip(deps, versions, made)) compared++
  })
  await fc.assert(property, RUNS)
  expect(compared).toBeGreaterThan(RUNS.numRuns / 2)
}, 36_000_000)
