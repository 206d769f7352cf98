import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Budget } from './budget'

/**
 * What `pending` resolves to, unless the budget ends before: then this rejects at once and calls
 * `abandon`, which ends the work that nobody waits for any more.
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
    // Once: what is abandoned may be somebody else's by the time that another reason comes up.
    const giveUp = (reason: AppError) => {
      stopWaiting()
      abandon(reason)
      reject(reason)
    }
    const onTime = async () => {
      await inputRead() // the answer may lie in a buffer, when it was us who had no time
      if (!isSettled && !signal?.aborted) giveUp(exceeded())
    }
    const onAbort = () => giveUp(reasonOf(signal as AbortSignal))
    const leftMs = Math.max(0, deadline - performance.now())
    // A longer delay than this would overflow and fire at once.
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

/** Throws when the budget is spent, so that nothing is begun in vain. */
export function requireBudget({ deadline, signal, exceeded }: Budget): void {
  if (signal?.aborted) throw reasonOf(signal)
  if (performance.now() >= deadline) throw exceeded()
}

/** What the signal says itself; requests' signals abort without a word when the client has left. */
const reasonOf = ({ reason }: AbortSignal): AppError =>
  reason instanceof AppError ? reason : new AppError('unavailable', LEFT, { cause: reason })
const LEFT = 'The client left before the answer'
