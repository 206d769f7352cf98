import { describe } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { testCountersInDryRuns } from '../../testing/counters-in-dry-runs'

const deps = freshDeps()

describe.each(['number', 'string'] as const)('a counter that is a %s', (type) => {
  testCountersInDryRuns(deps, type, ['moved on'])
})
