import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paging, RUNS, sorting, testOf } from './testing/random-searches'
import { byBody, byUrl, expected } from './testing/things'

test('URL and body return the same, which is what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      // The URL has no way to write an empty list.
      fc.array(
        testOf.filter(({ value }) => !Array.isArray(value) || value.length > 0),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      sorting,
      paging,
      async (conditions, sort, page) => {
        const asked = { conditions, sort, ...page }
        const responses = await Promise.all([byUrl(asked), byBody(asked)])
        expect(responses).toEqual([expected(asked), expected(asked)])
      },
    ),
    { numRuns: RUNS },
  )
}, 300_000)
