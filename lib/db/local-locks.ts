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
      const held: string[] = []
      const take = async (more: string, wait: number) => {
        await acquire(more, wait)
        held.push(more)
      }
      await take(key, waitMs)
      try {
        return await work(take)
      } finally {
        for (const taken of held.reverse()) release(taken)
      }
    },
    isHeld: async (key) => queues.has(key),
  }
}
