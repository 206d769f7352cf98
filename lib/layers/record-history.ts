import type { Layer } from '@/lib/around'
import { lastChange } from '@/lib/history/last-change'
import { sweepHistory } from '@/lib/history/sweep-history'
import { daysOf } from '@/lib/retention/kept'

/**
 * The last change of a record in the console can be undone where its entity keeps no history; versions are deleted after some time.
 * What an entity with a history keeps is written by triggers of its table.
 */
export const recordHistory: Layer = {
  name: 'record-history',
  adds: {
    changeRecorders: [lastChange],
    jobs: [{ name: 'sweep the history of records', intervalMs: 3_600_000, run: sweepHistory }],
    retention: [
      {
        name: 'history',
        title: 'History of records',
        tables: ['record_versions'],
        at: 'at',
        settings: ['HISTORY_VERSIONS', 'HISTORY_DAYS'],
        rule: ({ HISTORY_VERSIONS, HISTORY_DAYS }) =>
          `${daysOf(HISTORY_DAYS)}, the last ${HISTORY_VERSIONS} of each record`,
      },
    ],
  },
}
