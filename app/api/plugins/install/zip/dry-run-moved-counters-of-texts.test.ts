import { describe } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { testCountersInDryRuns } from '../../testing/counters-in-dry-runs'

describe('a counter that is a string', () => {
  testCountersInDryRuns(freshDeps(), 'string', ['moved on'])
})
