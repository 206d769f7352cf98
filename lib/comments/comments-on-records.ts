import type { Layer } from '@/lib/around'
import { sweepComments } from './sweep-comments'

/** Comments stay as long as their record is stored or can be restored. Without it, those of records that are gone stay too. */
export const commentsOnRecords: Layer = {
  name: 'comments',
  adds: {
    jobs: [{ name: 'sweep comments', intervalMs: 3_600_000, run: sweepComments }],
  },
}
