import type { Db } from '@/lib/db/sql'
import { horizonOf, isBeingWritten } from './horizon'

/** How late a change is noticed at most after others have not been; one statement in this time, and only while somebody waits. */
const TICK_MS = 250
/** The same beside other changes. */
const BUSY_TICK_MS = 25

/** `until`: in ms of `performance.now`. */
type Waiter = { done: () => void; until: number }

/**
 * Says when the log of changes may have something new. The counter of events moves before their transaction ends, so
 * after each move it looks often until all that wrote by then have ended, and can be read.
 */
export class EventClock {
  #waiting = new Set<Waiter>()
  #deadlines: NodeJS.Timeout | undefined
  /** The counter at the last look, which may be of a time before somebody waited. */
  #last: string | null = null
  #until: bigint | null = null
  /** Up to where those who were woken last could read. */
  #horizon: bigint | null = null
  /** Some that moved the counter may not have ended. */
  #hasMoved = false
  #running = false
  #turn = 0

  constructor(private readonly db: Db) {}

  /** Another after each moment at which there may have been something new: take it before the log is read. */
  get turn(): number {
    return this.#turn
  }

  /**
   * Resolves when there may be something new since `turn`, about `ms` later at the latest, or when `signal` aborts. Returns whether there may
   * be something new.
   */
  async next(turn: number, ms: number, signal: AbortSignal): Promise<boolean> {
    if (!signal.aborted && turn === this.#turn) await this.#wait(ms, signal)
    return turn !== this.#turn
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done)
        this.#waiting.delete(waiter)
        resolve()
      }
      const waiter = { done, until: performance.now() + ms }
      signal.addEventListener('abort', done, { once: true })
      this.#waiting.add(waiter)
      this.#deadlines ??= setInterval(() => this.#endWaits(), TICK_MS)
      this.#start()
    })
  }

  /** One timer for all who wait: thousands of their own would keep a processor busy. */
  #endWaits(): void {
    const now = performance.now()
    for (const { done, until } of [...this.#waiting]) if (until <= now) done()
    if (this.#waiting.size > 0) return
    clearInterval(this.#deadlines)
    this.#deadlines = undefined
  }

  #start(): void {
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  async #run(): Promise<void> {
    let pauseMs = BUSY_TICK_MS
    while (this.#waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      const isNew = await this.#look().catch(() => true) // those who wait meet the fault themselves
      pauseMs = isNew || this.#hasMoved || this.#until !== null ? BUSY_TICK_MS : TICK_MS
      if (!isNew) continue
      this.#turn++
      for (const { done } of [...this.#waiting]) done()
    }
    this.#running = false
  }

  /** Only what is before the horizon can be read: as long as that stays, nothing is new. */
  async #look(): Promise<boolean> {
    // Of the newest that runs a snapshot does not say that it does. Asked before the snapshot is taken.
    const isWritten = this.#hasMoved && (await isBeingWritten(this.db))
    const { counter, xid, end } = await horizonOf(this.db)
    if (counter !== this.#last) {
      this.#last = counter
      this.#hasMoved = true // by a transaction that may have begun after this snapshot
    } else if (this.#hasMoved && !isWritten) {
      this.#hasMoved = false
      this.#until = end
    }
    if (!this.#hasMoved && this.#until === null) return false
    if (!this.#hasMoved && this.#until !== null && xid >= this.#until) this.#until = null
    const isNew = xid !== this.#horizon
    this.#horizon = xid
    return isNew
  }
}

const clocks = new WeakMap<Db, EventClock>()

/** The one of a database in this process. */
export function eventClock(db: Db): EventClock {
  const clock = clocks.get(db) ?? new EventClock(db)
  clocks.set(db, clock)
  return clock
}
