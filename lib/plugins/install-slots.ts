import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { returnMemory } from './return-memory'

type Slots = { taken: number; waiting: (() => void)[] }

// Keyed by settings: a process has one object of them, each test its own.
const slots = new WeakMap<Deps['settings'], Slots>()

/**
 * Waits for a slot to read and install an archive: unpacked archives are large, so at most MAX_INSTALLS
 * are in memory at a time. First come, first served. Returns a function that releases the slot; call it
 * once. Throws `unavailable` when none is free within INSTALL_WAIT_MS, and the reason of `signal`.
 */
export async function takeSlot(
  { settings }: Pick<Deps, 'settings'>,
  signal?: AbortSignal,
): Promise<() => void> {
  signal?.throwIfAborted()
  const { MAX_INSTALLS, INSTALL_WAIT_MS } = settings
  const all = slots.get(settings) ?? { taken: 0, waiting: [] }
  slots.set(settings, all)
  if (all.taken < MAX_INSTALLS) all.taken++
  else await queue(all, INSTALL_WAIT_MS, signal)
  return () => release(all)
}

function queue({ waiting }: Slots, waitMs: number, signal?: AbortSignal): Promise<void> {
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

/** Passes the slot directly to the next in the queue, so that no later one overtakes it. */
function release(all: Slots): void {
  returnMemory()
  const next = all.waiting.shift()
  if (next) next()
  else all.taken--
}

const BUSY = 'Other plugin archives are being installed; try again when they are done'
