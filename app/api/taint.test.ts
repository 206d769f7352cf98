import { beforeAll, expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { ALL_ROUTES } from './all-routes'
import { Round } from './testing/taint/round'
import { Stage } from './testing/taint/stage'
import { ALL_STORIES, LEFT_OUT, STORIES } from './testing/taint/stories'

/**
 * Every value of a small world is a token. Random callers with random policies use all routes, and nothing that they get
 * holds a token that a model, which shares nothing with the product, says is hidden; what they see is what it says.
 */

await testDeps({ ANONYMOUS_ACCESS: 'on' })
const stage = new Stage(currentDeps())
beforeAll(() => stage.build())

/** Rounds that are shown when several are wrong. */
const SHOWN = 3

test('no caller learns what the policies hide, and each sees what they show', async () => {
  const { numRuns, seed } = budget(300, 33)
  const faults: string[] = []
  let requests = 0
  for (let round = 0; requests < numRuns && faults.length < SHOWN; round++) {
    const one = new Round(stage, seed + round, ALL_STORIES)
    const found = await one.play()
    if (found.length > 0) faults.push(found.join('\n'))
    requests += one.requests
  }
  expect(faults.join('\n\n')).toBe('')
}, 7_200_000)

test('each route has a story, or a reason to have none', async () => {
  const served: string[] = []
  for (const [path, handlers] of Object.entries(ALL_ROUTES)) {
    const request = new Request('http://test.local/api', { method: 'OPTIONS' })
    const options = await handlers.OPTIONS?.(request, { params: Promise.resolve({}) })
    const allow = options?.headers.get('allow') ?? Object.keys(handlers).join(', ')
    const own = allow.split(', ').filter((method) => !['HEAD', 'OPTIONS'].includes(method))
    served.push(...own.filter((method) => handlers[method]).map((method) => `${method} ${path}`))
  }
  const told = [...Object.keys(STORIES), ...Object.keys(LEFT_OUT)]
  expect(told.sort()).toEqual(served.sort())
})
