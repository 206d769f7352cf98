import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Budget } from './budget'

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
