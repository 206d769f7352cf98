import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '@/lib/auth/rights'
import type { Bus } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { toHistory } from './contract'
import { filesAfter, getInstall } from './store'

/** The poll interval: notifications arrive earlier, and a lost one costs at most this time. */
const POLL_MS = 3_000

/**
 * Follows an install through its history, on whichever instance it runs: `file` events in the order of
 * processing after report `after`, as the actor may see them, `progress` when the counts change, finally `result`.
 */
export async function* watchInstall(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  { id, after, actor }: { id: number; after: number; actor: Actor },
  signal: AbortSignal,
) {
  const reading = { installId: id, actor }
  const hints = await listen(deps.bus, id)
  let last = after
  let processed = -1
  try {
    while (!signal.aborted) {
      // Before the query, so that a notification in the meantime causes another one.
      const next = hints.next()
      // The install first: reports written after this query are found by the next one, or this was the last.
      const install = await getInstall(deps.db, id)
      for (
        let batch = await filesAfter(deps, reading, last);
        batch.length > 0;
        batch = await filesAfter(deps, reading, last)
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
      if (install.processedFiles !== processed)
        yield { event: 'progress', data: toHistory(install) }
      processed = install.processedFiles
      await nextLook(next, signal)
    }
  } finally {
    hints.stop()
  }
}

/** Waits for a notification, the poll interval, or the client's disconnection. */
async function nextLook(hinted: Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const ends = AbortSignal.any([signal, done.signal])
  await Promise.race([hinted, delay(POLL_MS, undefined, { signal: ends }).catch(() => {})])
  done.abort()
}

/** The notifications about one install. Without the message bus there are none, only polling. */
async function listen(bus: Bus, id: number) {
  let wake = () => {}
  const stop = await bus
    .subscribe('engine_installs', (payload) => {
      if (payload === String(id)) wake()
    })
    .catch(() => () => {})
  return {
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
    stop,
  }
}
