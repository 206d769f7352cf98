import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'

type Turns = { taken: number; waiting: (() => void)[] }

// By `deps`, of which a process has one and each test its own.
const turns = new WeakMap<object, Turns>()

/**
 * Waits for a turn to read and install an archive: unpacked ones are large, so only MAX_INSTALLS are
 * in memory at a time. First come, first served. Answers how to give the turn back (once); throws
 * `unavailable` when INSTALL_WAIT_MS brought none, and what `signal` aborts with.
 */
export async function takeTurn(
  deps: Pick<Deps, 'settings'>,
  signal?: AbortSignal,
): Promise<() => void> {
  signal?.throwIfAborted()
  const { MAX_INSTALLS, INSTALL_WAIT_MS } = deps.settings
  const all = turns.get(deps) ?? { taken: 0, waiting: [] }
  turns.set(deps, all)
  if (all.taken < MAX_INSTALLS) all.taken++
  else await queue(all, INSTALL_WAIT_MS, signal)
  return () => giveBack(all)
}

function queue({ waiting }: Turns, waitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const enter = () => {
      stopWaiting()
      resolve()
    }
    const leave = (reason: unknown) => {
      stopWaiting()
      waiting.splice(waiting.indexOf(enter), 1)
      reject(reason)
    }
    const onAbort = () => leave(signal?.reason)
    const late = () => leave(new AppError('unavailable', BUSY, { retryAfter: 10 }))
    const timer = setTimeout(late, waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiting.push(enter)
  })
}

/** The next one takes over the turn itself, so that nobody gets ahead of it. */
function giveBack(all: Turns): void {
  const next = all.waiting.shift()
  if (next) next()
  else all.taken--
}

const BUSY = 'Other plugin archives are being installed; try again when they are done'
