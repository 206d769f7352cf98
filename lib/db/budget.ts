import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Trace } from '@/lib/tracing/tracing'
import type { Lsn } from './log-position'

/** Limits on the statements of a request. */
export type Budget = {
  /** When statements are stopped, on the clock of `performance.now()`; Infinity for never. */
  deadline: number
  /** Stops statements when it aborts: the client has left. */
  signal?: AbortSignal
  /** When waits for a connection end, on the same clock; a short wait is always allowed. */
  waitsUntil: number
  /** How long to wait for a server that does not respond. */
  waitLimitMs: number
  /** The error of a statement that was stopped at the deadline. */
  exceeded: () => AppError
  /**
   * On the embedded database: a statement outside a transaction that has run for this long is
   * stopped as soon as another request waits for the only connection.
   */
  yieldsAfterMs?: number
  /** Identifies the request that asked for the work. The server's own jobs have none: no statement is stopped for them. */
  request?: object | undefined
  /**
   * Counts how long the statements took together; those that run at the same time count twice. Each is a
   * part of `trace`.
   */
  spent?: { dbMs: number; trace?: Trace | null }
  /** What reads must show at least, also those of a replica. */
  sees?: Lsn | undefined
}

export type Limits = Partial<
  Pick<
    Budget,
    'signal' | 'waitLimitMs' | 'exceeded' | 'yieldsAfterMs' | 'request' | 'spent' | 'sees'
  >
> & {
  /** How long all statements of the work may take together. */
  ms?: number
  /** How long all waits for connections may take together. */
  waitMs?: number
}

/** Clients must get an error from a database that does not respond within ten seconds. */
const WAIT_LIMIT_MS = 4_000

const tooLong = () =>
  new AppError(
    'unavailable',
    'The request took too long and was stopped; narrow it and try again',
    { retryAfter: 1 },
  )

const UNLIMITED: Budget = {
  deadline: Infinity,
  waitsUntil: Infinity,
  waitLimitMs: WAIT_LIMIT_MS,
  exceeded: tooLong,
}

// On `globalThis`: the database is opened in one bundle and used in others.
const shared = globalThis as typeof globalThis & {
  __engineBudget?: AsyncLocalStorage<Budget>
}
shared.__engineBudget ??= new AsyncLocalStorage<Budget>()
const storage = shared.__engineBudget

/** The current budget; without limits where none was set. */
export const currentBudget = (): Budget => storage.getStore() ?? UNLIMITED

/**
 * Runs `work` within the current budget and `limits`: the earlier deadline and both signals apply,
 * and the innermost `exceeded`, which has the most helpful message.
 */
export function withBudget<T>(limits: Limits, work: () => PromiseLike<T>): Promise<T> {
  const outer = currentBudget()
  const inner = budgetOf(limits)
  const signals = [outer.signal, inner.signal].filter((signal) => signal !== undefined)
  const deadline = Math.min(inner.deadline, outer.deadline)
  const waitsUntil = Math.min(inner.waitsUntil, outer.waitsUntil)
  const exceeded = limits.exceeded ?? outer.exceeded
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
  const waitLimitMs = limits.waitLimitMs ?? outer.waitLimitMs
  const yieldsAfterMs = limits.yieldsAfterMs ?? outer.yieldsAfterMs
  const request = limits.request ?? outer.request
  const spent = limits.spent ?? outer.spent
  const sees = limits.sees ?? outer.sees
  const times = { deadline, waitsUntil, exceeded, waitLimitMs, signal, yieldsAfterMs }
  return start({ ...times, request, spent, sees }, work)
}

/**
 * Runs `work` within `limits` alone, not within the current budget: for work that outlives its
 * request, and for loads that several requests share, which must not end when one client leaves.
 * `request` of the current budget is to be passed on where someone waits for it.
 */
export function withOwnBudget<T>(limits: Limits, work: () => PromiseLike<T>): Promise<T> {
  return start(budgetOf(limits), work)
}

/** drizzle sends a statement when it is awaited, so the await must happen within the budget too. */
function start<T>(budget: Budget, work: () => PromiseLike<T>): Promise<T> {
  return storage.run(
    budget,
    () => new Promise<T>((resolve, reject) => work().then(resolve, reject)),
  )
}

function budgetOf({ ms, waitMs, ...rest }: Limits): Budget {
  const after = (limit: number | undefined) =>
    limit === undefined ? Infinity : performance.now() + limit
  return { ...UNLIMITED, ...rest, deadline: after(ms), waitsUntil: after(waitMs) }
}

/**
 * What `pending` resolves to, unless the budget ends before: then rejects immediately and calls
 * `abandon`, which ends work whose result is no longer needed.
 */
export async function giveUpInTime<T>(
  pending: Promise<T>,
  { deadline, signal, exceeded }: Budget,
  abandon: (reason: AppError) => void,
): Promise<T> {
  if (deadline === Infinity && !signal) return pending
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  pending.then(settle, settle)
  return new Promise<T>((resolve, reject) => {
    // Once: after that, what was abandoned may belong to another request.
    const giveUp = (reason: AppError) => {
      stopWaiting()
      abandon(reason)
      reject(reason)
    }
    const onTime = async () => {
      await inputRead() // the response may be in a buffer when this process was too busy to read it
      if (!isSettled && !signal?.aborted) giveUp(exceeded())
    }
    const onAbort = () => giveUp(reasonOf(signal as AbortSignal))
    const leftMs = Math.max(0, deadline - performance.now())
    // A longer delay than this would overflow and fire immediately.
    const timer = leftMs < 2 ** 31 ? setTimeout(onTime, leftMs) : undefined
    signal?.addEventListener('abort', onAbort, { once: true })
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    pending.then(resolve, reject).finally(stopWaiting)
    if (signal?.aborted) onAbort()
  })
}

/** Throws when the budget is spent, so that no work begins that could not end. */
export function requireBudget({ deadline, signal, exceeded }: Budget): void {
  if (signal?.aborted) throw reasonOf(signal)
  if (performance.now() >= deadline) throw exceeded()
}

/**
 * The reason of the signal; those of requests abort without a useful one when the client has left.
 */
const reasonOf = ({ reason }: AbortSignal): AppError =>
  reason instanceof AppError ? reason : new AppError('unavailable', LEFT, { cause: reason })
const LEFT = 'The client left before the response'
