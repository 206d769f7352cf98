import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@/lib/errors'

type Running = { installs: Set<Promise<unknown>>; stop: AbortController }

// On `globalThis`: installs run in the bundle of a route and are stopped by that of the start.
const shared = globalThis as typeof globalThis & { __engineInstalls?: Running }
shared.__engineInstalls ??= { installs: new Set(), stop: new AbortController() }
const { installs, stop } = shared.__engineInstalls

/** Aborts when installs must end because the server stops. */
export const installsStop: AbortSignal = stop.signal

/** What an install that was stopped says. */
export const stopped = () =>
  new AppError(
    'unavailable',
    'The server was stopped during the installation; install the archive again to complete it',
    { retryAfter: 10 },
  )

/** Remembers an install until it has ended, with its history written. */
export function noteInstall(done: Promise<unknown>): void {
  installs.add(done)
  const forget = () => installs.delete(done)
  done.then(forget, forget)
}

/** What an install needs to roll back and to write its end down. */
const ENDING_MS = 3_000

/** Lets installs end by themselves for `patienceMs`, then stops them; resolves when none runs. */
export async function endInstalls(patienceMs: number): Promise<void> {
  await ended(patienceMs)
  stop.abort()
  await ended(ENDING_MS)
}

async function ended(withinMs: number): Promise<void> {
  const late = new AbortController()
  const timer = delay(withinMs, undefined, { signal: late.signal }).catch(() => {})
  await Promise.race([Promise.allSettled(installs), timer])
  late.abort()
}
