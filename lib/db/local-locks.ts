import { busy } from './postgres-locks'
import type { Locks } from './types'

/** Locks inside this process, handed on in the order they were asked for. */
export function localLocks(): Locks {
  const queues = new Map<string, (() => void)[]>()

  function acquire(key: string, waitMs: number): Promise<void> {
    const queue = queues.get(key)
    if (!queue) {
      queues.set(key, [])
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1)
        reject(busy(key))
      }, waitMs)
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(enter)
    })
  }

  function release(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next()
    else queues.delete(key)
  }

  return {
    hold: async (key, waitMs, work) => {
      await acquire(key, waitMs)
      try {
        return await work()
      } finally {
        release(key)
      }
    },
    isHeld: async (key) => queues.has(key),
  }
}
