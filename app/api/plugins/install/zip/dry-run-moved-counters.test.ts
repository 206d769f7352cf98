import { describe } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { testCountersInDryRuns } from '../../testing/counters-in-dry-runs'

describe('a counter that is a number', () => {
  testCountersInDryRuns(freshDeps(), 'number', ['moved on'])
})
