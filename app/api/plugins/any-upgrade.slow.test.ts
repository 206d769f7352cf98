import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { randomUpgrade, SHAPE_TYPES, valueOfType } from '@/lib/testing/random-upgrade'
import { randomApiEdits } from './testing/api-edits'
import { checkUpgrade } from './testing/check-upgrade'

const deps = freshDeps()

const value = fc.oneof(
  fc.constantFrom(...SHAPE_TYPES).chain(valueOfType),
  fc.constantFrom<unknown>(null, 1, 'a', 9),
)
const edits = randomApiEdits(['Alpha', 'Beta', 'Gamma'], ['p', 'q', 'r', 'id', 'extra'], value)
const options = fc
  .tuple(
    fc.constantFrom('', '&mode=atomic'),
    fc.constantFrom('', '&onConflict=keep', '&onConflict=take', '&onConflict=fail'),
    fc.constantFrom('', '&removed=delete'),
  )
  .map((chosen) => chosen.join('') || '&mode=partial')

/** Few: those below that were found once are random ones, too. */
const RUNS = budget(2, 15)

const propertyOf = (outcomes: string[]) =>
  fc.asyncProperty(randomUpgrade, edits, options, async (upgrade, made, query) => {
    await testDeps()
    outcomes.push(await checkUpgrade(deps, upgrade, made, query))
  })

test('an upgrade over any edits does what its plan says, and its rollback leaves the database as before', async () => {
  const outcomes: string[] = []
  await fc.assert(propertyOf(outcomes), { ...RUNS, endOnFailure: true })
  const undone = outcomes.filter((outcome) => outcome === 'rolled back').length
  expect(undone).toBeGreaterThan(RUNS.numRuns / 3)
}, 36_000_000)

test.each([
  ['definitions that only followed the rename of an entity', -1741200839, '4'],
  ['fields that got their default when they became required', -1741200839, '12'],
  ['references that say another type than the key they refer to', 102, '26'],
  ['fields whose values were generated', 8881, '17'],
  ['undeclared fields that were declared under another name', 2001, '90'],
  ['records of an entity that got another name and schema', 3005, '54'],
  ['defined fields that hold JSON again', 2003, '85'],
  ['records that meet in fields which became unique together', 101, '8'],
])(
  '%s are as before, too',
  (_, seed, path) => fc.assert(propertyOf([]), { numRuns: 1, endOnFailure: true, seed, path }),
  600_000,
)
