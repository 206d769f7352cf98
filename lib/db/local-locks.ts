import { busy, holdBy } from './postgres-locks'
import type { Lock, Locks } from './types'

/** Locks within this process, granted in the order of the calls. */
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

  function free(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next()
    else queues.delete(key)
  }

  const take = async (key: string, waitMs: number): Promise<Lock> => {
    const held: string[] = []
    let isReleased = false
    const release = async () => {
      isReleased = true
      for (const taken of held.splice(0).reverse()) free(taken)
    }
    const also = async (more: string, wait: number) => {
      await acquire(more, wait)
      held.push(more)
      // Whoever waited for it has given up meanwhile.
      if (isReleased) await release()
    }
    await also(key, waitMs)
    return { also, release }
  }

  return { take, hold: holdBy(take), isHeld: async (key) => queues.has(key) }
}
