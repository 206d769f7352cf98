import 'server-only'
import { setMaxListeners } from 'node:events'
import { AppError } from '@/lib/errors'

type Running = { installs: Set<Promise<unknown>>; stop: AbortController }

// On `globalThis`: installs run in a route's bundle and are stopped by that of the start-up code.
const shared = globalThis as typeof globalThis & { __engineInstalls?: Running }
shared.__engineInstalls ??= { installs: new Set(), stop: new AbortController() }
const { installs, stop } = shared.__engineInstalls

/** Aborts when the server stops; the reason becomes the result of the installs that end. */
export const installsStop: AbortSignal = stop.signal
// Every install listens, including those that wait for a slot: their number is no leak.
setMaxListeners(0, installsStop)

/** The result of an install that was stopped. */
export const stopped = () =>
  new AppError(
    'unavailable',
    'The server was stopped during the installation; install the archive again to complete it',
    { retryAfter: 10 },
  )

/** Tracks an install, from before its archive is read until its end is in the history. */
export function noteInstall(done: Promise<unknown>): void {
  installs.add(done)
  const forget = () => installs.delete(done)
  done.then(forget, forget)
}

/** The time that an install needs to roll back and to record its end. */
const ENDING_MS = 3_000

/** Stops the installs that still run after `graceMs`, and those that begin later. */
export function stopInstalls(graceMs: number): void {
  setTimeout(() => stop.abort(stopped()), graceMs).unref()
}

/** Resolves when no install runs, or when stopped installs take too long to end. */
export async function installsEnd(): Promise<void> {
  const late = endingIsOver().then(() => true)
  const settled = () => Promise.allSettled(installs).then(() => false)
  while (installs.size > 0) if (await Promise.race([settled(), late])) return
}

const endingIsOver = () =>
  new Promise<void>((resolve) => {
    const begin = () => setTimeout(resolve, ENDING_MS).unref()
    if (installsStop.aborted) begin()
    else installsStop.addEventListener('abort', begin, { once: true })
  })
