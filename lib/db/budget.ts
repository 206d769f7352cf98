import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Trace } from '@/lib/tracing/tracing'
import { hasLeft, type Received } from '@/lib/values/received'
import type { Lsn } from './log-position'

/** Limits on the statements of a request. */
export type Budget = {
  /** When statements are stopped, on the clock of `performance.now()`; Infinity for never. */
  deadline: number
  /** Stops statements when it aborts. */
  signal?: AbortSignal | undefined
  /** Whose leaving stops statements. */
  client?: Pick<Received, 'hasLeft' | 'signal'> | undefined
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

export type Limits = Partial<Omit<Budget, 'deadline' | 'waitsUntil'>> & {
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
  return storage.run(within(currentBudget(), limits), begin<T>, work)
}

/** Reads of `limits` what it has: most lack most, and to look for what is not there is slow. */
function within(outer: Budget, limits: Limits): Budget {
  const budget: Budget = {
    deadline: outer.deadline,
    waitsUntil: outer.waitsUntil,
    signal: outer.signal,
    client: outer.client,
    waitLimitMs: outer.waitLimitMs,
    exceeded: outer.exceeded,
    yieldsAfterMs: outer.yieldsAfterMs,
    request: outer.request,
    spent: outer.spent,
    sees: outer.sees,
  }
  for (const name in limits) {
    const limit = limits[name as keyof Limits]
    if (limit === undefined) continue
    if (name === 'ms') budget.deadline = Math.min(outer.deadline, timeAfter(limit as number))
    else if (name === 'waitMs')
      budget.waitsUntil = Math.min(outer.waitsUntil, timeAfter(limit as number))
    else if (name === 'signal') budget.signal = eitherOf(outer.signal, limit as AbortSignal)
    else (budget as Record<string, unknown>)[name] = limit
  }
  return budget
}

/**
 * Runs `work` within `limits` alone, not within the current budget: for work that outlives its
 * request, and for loads that several requests share, which must not end when one client leaves.
 * `request` of the current budget is to be passed on where someone waits for it.
 */
export function withOwnBudget<T>(limits: Limits, work: () => PromiseLike<T>): Promise<T> {
  return storage.run(within(UNLIMITED, limits), begin<T>, work)
}

/** drizzle sends a statement when it is awaited, so the await must happen within the budget too. */
function begin<T>(work: () => PromiseLike<T>): Promise<T> {
  const begun = work()
  if (begun instanceof Promise) return begun
  return new Promise<T>((resolve, reject) => begun.then(resolve, reject))
}

const timeAfter = (ms: number): number => performance.now() + ms

function eitherOf(one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined {
  return one && other && one !== other ? AbortSignal.any([one, other]) : (one ?? other)
}

/** Aborts when the statements of a budget are to be stopped before their time. */
export const signalOf = ({ signal, client }: Pick<Budget, 'signal' | 'client'>) =>
  eitherOf(signal, client?.signal)

/**
 * What `pending` resolves to, unless the budget ends before: then rejects immediately and calls
 * `abandon`, which ends work whose result is no longer needed.
 */
export async function giveUpInTime<T>(
  pending: Promise<T>,
  budget: Budget,
  abandon: (reason: AppError) => void,
): Promise<T> {
  const { deadline, exceeded } = budget
  const signal = signalOf(budget)
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
export function requireBudget(budget: Budget): void {
  const reason = whyStopped(budget)
  if (reason) throw reason
  if (performance.now() >= budget.deadline) throw budget.exceeded()
}

/** Why statements are to be stopped before their time; null where they are not. */
export function whyStopped({ signal, client }: Pick<Budget, 'signal' | 'client'>): AppError | null {
  if (signal?.aborted) return reasonOf(signal)
  return client && hasLeft(client) ? reasonOf(client.signal) : null
}

/**
 * The reason of the signal; those of requests abort without a useful one when the client has left.
 */
const reasonOf = ({ reason }: AbortSignal): AppError =>
  reason instanceof AppError ? reason : new AppError('unavailable', LEFT, { cause: reason })
const LEFT = 'The client left before the response'
