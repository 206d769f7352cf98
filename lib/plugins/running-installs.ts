import 'server-only'
import { setMaxListeners } from 'node:events'
import { AppError } from '@/lib/errors'

type Running = { installs: Set<Promise<unknown>>; stop: AbortController }

// On `globalThis`: installs run in the bundle of a route and are stopped by that of the start.
const shared = globalThis as typeof globalThis & { __engineInstalls?: Running }
shared.__engineInstalls ??= { installs: new Set(), stop: new AbortController() }
const { installs, stop } = shared.__engineInstalls

/** Aborts when installs must end because the server stops; the reason is what they then say. */
export const installsStop: AbortSignal = stop.signal
// Every install listens, those that wait for a turn too: their number is no leak.
setMaxListeners(0, installsStop)

/** What an install that was stopped says. */
export const stopped = () =>
  new AppError(
    'unavailable',
    'The server was stopped during the installation; install the archive again to complete it',
    { retryAfter: 10 },
  )

/** Remembers an install, from before its archive is read until it has ended, with its history written. */
export function noteInstall(done: Promise<unknown>): void {
  installs.add(done)
  const forget = () => installs.delete(done)
  done.then(forget, forget)
}

/** What an install needs to roll back and to write its end down. */
const ENDING_MS = 3_000

/** Stops the installs that still run after `patienceMs`, and those that begin later. */
export function stopInstalls(patienceMs: number): void {
  setTimeout(() => stop.abort(stopped()), patienceMs).unref()
}

/** Resolves when no install runs, or when the ones that were stopped take too long to end. */
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
