import type { Layer } from '@/lib/around'
import { prepareEventDays, sweepEvents } from '@/lib/events/sweep-events'

/**
 * The log of changes has a partition for each day, and is bounded. What entities with events write there, triggers of their
 * tables write; without this layer it goes into one partition that is never emptied.
 */
export const recordEvents: Layer = {
  name: 'record-events',
  adds: {
    jobs: [
      { name: 'prepare days of events', intervalMs: 3_600_000, run: prepareEventDays },
      { name: 'sweep events', intervalMs: 600_000, run: sweepEvents },
    ],
  },
}
