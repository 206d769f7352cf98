import type { Layer } from '@/lib/around'
import { timeSearch, writeSlowSearches } from './slow-searches'
import { startBuilding } from './start-building'
import { MAX_SHAPES } from './store'

/** Keeps the shapes of slow searches for advice on indexes, and builds the indexes that were added on it. */
export const indexAdvice: Layer = {
  name: 'index-advice',
  around: {
    matchRecords: (deps, run, next) => {
      // Deletions and changes, and their previews, are not searches.
      const isSearch = !run.target.system && run.changes === undefined
      return isSearch ? timeSearch(deps, run, () => next(deps)) : next(deps)
    },
  },
  adds: {
    beforeClose: [writeSlowSearches],
    retention: [
      {
        name: 'searches',
        title: 'Slow searches',
        tables: ['search_shapes'],
        at: 'last_at',
        settings: ['SLOW_SEARCH_MS'],
        rule: () => `Without values; the ${MAX_SHAPES} dearest of each entity`,
      },
    ],
    jobs: [
      { name: 'build indexes', intervalMs: 30_000, run: async (deps) => void startBuilding(deps) },
    ],
  },
}
