import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { AT_ONCE, paging, RUNS, several, sorting, testOf } from './testing/random-searches'
import { byBody, byUrl, expected } from './testing/things'

// The URL has no way to write an empty list.
const writable = testOf.filter(({ value }) => !Array.isArray(value) || value.length > 0)
const asked = fc
  .tuple(fc.array(writable, { minLength: 1, maxLength: 3 }), sorting, paging)
  .map(([conditions, sort, page]) => ({ conditions, sort, ...page }))

test('URL and body return the same, which is what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(several(asked), async (all) => {
      const urls = Promise.all(all.map(byUrl))
      const bodies = Promise.all(all.map(byBody))
      expect(await urls).toEqual(all.map(expected))
      expect(await bodies).toEqual(all.map(expected))
    }),
    budget(RUNS / AT_ONCE, 3),
  )
}, 300_000)
