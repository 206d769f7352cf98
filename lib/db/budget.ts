import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '@/lib/errors'

/** What statements may cost whoever asks for them. */
export type Budget = {
  /** When statements are stopped, on the clock of `performance.now()`; Infinity for never. */
  deadline: number
  /** Stops statements when it aborts: the client has left. */
  signal?: AbortSignal
  /** Until when connections are waited for, on the same clock; a little while is always granted. */
  waitsUntil: number
  /** How long a server that shows no sign of life is waited for. */
  patienceMs: number
  /** What a statement throws that was stopped at the deadline. */
  exceeded: () => AppError
  /**
   * A statement outside a transaction that has run for so long is stopped as soon as somebody waits
   * for its connection, where there is only one: on the embedded database.
   */
  yieldsAfterMs?: number
  /** Counts how long the statements took together; those that run at the same time count twice. */
  spent?: { dbMs: number }
}

export type Limits = Partial<
  Pick<Budget, 'signal' | 'patienceMs' | 'exceeded' | 'yieldsAfterMs' | 'spent'>
> & {
  /** How long all statements of the work may take together. */
  ms?: number
  /** How long all waits for connections may take together. */
  waitMs?: number
}

/** Clients are to hear of a database that does not answer within ten seconds. */
const PATIENCE_MS = 4_000

const tooLong = () =>
  new AppError(
    'unavailable',
    'The request took too long and was stopped; narrow it and try again',
    { retryAfter: 1 },
  )

const UNLIMITED: Budget = {
  deadline: Infinity,
  waitsUntil: Infinity,
  patienceMs: PATIENCE_MS,
  exceeded: tooLong,
}

// On `globalThis`: the database is opened in one bundle and used in others.
const shared = globalThis as typeof globalThis & {
  __engineBudget?: AsyncLocalStorage<Budget>
}
shared.__engineBudget ??= new AsyncLocalStorage<Budget>()
const storage = shared.__engineBudget

/** The budget of the present work; without limits where none was set. */
export const currentBudget = (): Budget => storage.getStore() ?? UNLIMITED

/**
 * Runs `work` within the present budget and `limits`: the earlier deadline and either signal count,
 * and the innermost `exceeded`, which knows best what would help.
 */
export function withBudget<T>(limits: Limits, work: () => PromiseLike<T>): Promise<T> {
  const outer = currentBudget()
  const inner = budgetOf(limits)
  const signals = [outer.signal, inner.signal].filter((signal) => signal !== undefined)
  const deadline = Math.min(inner.deadline, outer.deadline)
  const waitsUntil = Math.min(inner.waitsUntil, outer.waitsUntil)
  const exceeded = limits.exceeded ?? outer.exceeded
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
  const patienceMs = limits.patienceMs ?? outer.patienceMs
  const yieldsAfterMs = limits.yieldsAfterMs ?? outer.yieldsAfterMs
  const spent = limits.spent ?? outer.spent
  return start({ deadline, waitsUntil, exceeded, patienceMs, signal, yieldsAfterMs, spent }, work)
}

/**
 * Runs `work` within `limits` alone, whatever the present budget: for work that outlives its request,
 * and for loads that several requests wait for, which one client that leaves must not end.
 */
export function withOwnBudget<T>(limits: Limits, work: () => PromiseLike<T>): Promise<T> {
  return start(budgetOf(limits), work)
}

/** A statement of drizzle is sent when somebody waits for it, so that happens within the budget too. */
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
