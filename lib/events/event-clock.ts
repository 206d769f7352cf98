import type { Db } from '@/lib/db/sql'
import { horizonOf } from './horizon'

/** How late a change is noticed at most; one statement in this time, and only while somebody waits. */
const TICK_MS = 100

/**
 * Says when the log of changes may have something new. The counter of events moves before their transaction ends, so
 * after each move it goes on until all transactions of that moment have ended.
 */
export class EventClock {
  #waiting = new Set<() => void>()
  #last: string | null = null
  #until: bigint | null = null
  #hasMoved = false
  #running = false

  constructor(private readonly db: Db) {}

  /** Resolves when there may be something new, at the latest after `ms`, or when `signal` aborts. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
      this.#waiting.add(done)
      this.#start()
    })
  }

  #start(): void {
    if (this.#running) return
    this.#running = true
    this.#last = null // whatever happened while nobody waited
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
      const isNew = await this.#look().catch(() => true) // those who wait meet the fault themselves
      if (isNew) for (const wake of [...this.#waiting]) wake()
    }
    this.#running = false
  }

  async #look(): Promise<boolean> {
    const { counter, xid, end } = await horizonOf(this.db)
    if (counter !== this.#last) {
      this.#last = counter
      this.#hasMoved = true // by a transaction that may have begun after this snapshot
      return true
    }
    if (this.#hasMoved) {
      this.#hasMoved = false
      this.#until = end
    }
    if (this.#until === null) return false
    if (xid >= this.#until) this.#until = null
    return true
  }
}

const clocks = new WeakMap<Db, EventClock>()

/** The one of a database in this process. */
export function eventClock(db: Db): EventClock {
  const clock = clocks.get(db) ?? new EventClock(db)
  clocks.set(db, clock)
  return clock
}
