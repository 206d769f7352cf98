import { expect, test } from 'vitest'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { freshDeps } from '@/lib/testing/deps'
import { withinReadTime, withinWaits } from './time-limits'

const deps = freshDeps()

test('the statements of a request are told from those of others and of jobs', async () => {
  const request = new Request('http://localhost')
  const serve = () =>
    withinWaits(deps, () =>
      withinReadTime(request, deps.settings, async () => currentBudget().request),
    )
  const [one, other] = [await serve(), await serve()]
  expect(one).toBeDefined()
  expect(one).not.toBe(other)
  const job = withinWaits(deps, () => withOwnBudget({}, async () => currentBudget().request))
  expect(await job).toBeUndefined()
})
