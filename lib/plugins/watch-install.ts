import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '@/lib/runtime'
import { toHistory } from './contract'
import { filesAfter, getInstall } from './store'

const POLL_MS = 250

/**
 * Follows an install from its history, on whichever instance it runs: `file` events in the order of
 * processing from report `after` on, `progress` when the counts change, at the end `result`.
 */
export async function* watchInstall(
  { db }: Pick<Deps, 'db'>,
  id: number,
  after: number,
  signal: AbortSignal,
) {
  let last = after
  let processed = -1
  while (!signal.aborted) {
    // The install first: reports written after this look are met by the next one, or it was the last.
    const install = await getInstall(db, id)
    for (
      let batch = await filesAfter(db, id, last);
      batch.length > 0;
      batch = await filesAfter(db, id, last)
    ) {
      for (const file of batch) {
        last = file.id
        yield { id: String(file.id), event: 'file', data: file }
      }
    }
    if (install.status !== 'IN_PROGRESS') {
      yield { event: 'result', data: toHistory(install) }
      return
    }
    if (install.processedFiles !== processed) yield { event: 'progress', data: toHistory(install) }
    processed = install.processedFiles
    await delay(POLL_MS, undefined, { signal }).catch(() => {}) // ends early when nobody listens
  }
}
