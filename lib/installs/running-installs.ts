import { setMaxListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Deps } from '@/lib/deps'
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
export function recordRunning(done: Promise<unknown>): void {
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

type Slots = { taken: number; waiting: (() => void)[] }

// Keyed by settings: a process has one object of them, each test its own.
const slots = new WeakMap<Deps['settings'], Slots>()

/** Runs `work` in a slot, which is released once what it has begun is `done`. Throws as `takeSlot` does. */
export async function inSlot<T extends { done: Promise<unknown> }>(
  deps: Pick<Deps, 'settings'>,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeSlot(deps, installsStop)
  try {
    const started = await work()
    started.done.then(release, release)
    return started
  } catch (error) {
    release()
    throw error
  }
}

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

const MIB = 1024 * 1024

/** Below it, collecting garbage costs more than it returns. */
const LARGE_BYTES = 384 * MIB
/** For the last references to an archive to go. */
const DELAY_MS = 50

let timer: NodeJS.Timeout | undefined

/**
 * Collects garbage soon if the process takes much memory. What a large archive took would otherwise be kept until something
 * else needs it, as V8 collects what is old only when it grows further.
 */
export function returnMemory(largeBytes = LARGE_BYTES): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (process.memoryUsage.rss() > largeBytes) collector()()
  }, DELAY_MS).unref()
}

let collect: (() => void) | undefined

/** V8's own function, which is only there with a flag; the flag may be set while it runs. */
function collector(): () => void {
  if (collect) return collect
  setFlagsFromString('--expose-gc')
  const found: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect = found
  return found
}
