import { describe, expect, test } from 'vitest'
import { databaseState } from '@/lib/testing/database-state'
import { upload } from './plugin-api'
import { deps, prepare, SECOND, sealed } from './sealed-plans'

/** What happens after the plan was made, how, and what the refusal says of it. */
type Case = [string, () => Promise<unknown>, RegExp]

export function testBrokenSeals(cases: Case[]): void {
  describe('an install with the seal of its plan', () => {
    test.each(cases)('is refused, and says why, when %s', async (_, change, message) => {
      const seal = await prepare()
      await change()
      const before = await databaseState(deps.db)
      const { status, body } = await upload(deps, SECOND, { query: sealed(seal) })
      expect({ status, body }).toEqual({
        status: 409,
        body: { status: 409, error: expect.stringMatching(message) },
      })
      expect(body.error).toMatch(/^The plan no longer holds: .*\. Make a new plan$/)
      const numbers = 'engine.installs_id_seq'
      expect({ ...(await databaseState(deps.db)), [numbers]: before[numbers] }).toEqual(before)
    })
  })
}
