import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'

/** What ends waiting: a signal, or a function that is asked now and then, and returns the reason. */
export type Stop = AbortSignal | (() => Error | null)

export type GateOptions = {
  name: string
  /** How many slots there are. */
  slots: number
  /** How many slots one owner may hold. */
  slotsOfOwner: number
  /** In place of that, as long as so many are free for others; absent: never. */
  spare?: number
  maxWaiting: number
  waitMs: number
  /** What `Retry-After` says of a refusal. */
  retryAfterS: number
  /** The kind of work, for the message "Too many … are running". */
  what: string
}

type Waiting = {
  owner: string
  mayFill: boolean
  /** On the clock of `performance.now()`. */
  until: number
  stop: Stop | undefined
  enter: () => void
  refuse: (reason: unknown) => void
}

/** How soon those who have left are removed from a queue. */
const LOOK_MS = 250

/**
 * Slots for work of one kind. Work waits for a free slot in order of arrival, up to a time limit.
 */
export class Gate {
  private taken = 0
  private readonly byOwner = new Map<string, number>()
  private readonly waiting = new Set<Waiting>()
  private timer: NodeJS.Timeout | null = null

  constructor(private readonly options: GateOptions) {}

  /**
   * A slot for `owner`; call the result to release it (further calls do nothing). Throws
   * `unavailable` when none is free in time or too many wait already, and the reason of `stop`
   * when it aborts. Without `mayFill`, one owner never holds more than `slotsOfOwner`, and is a tenth of those who wait at most.
   */
  enter(owner: string, stop?: Stop, mayFill = true): Promise<() => void> {
    try {
      if (typeof stop !== 'function') stop?.throwIfAborted()
      const entered = this.enterAtOnce(owner, mayFill)
      return entered ? Promise.resolve(entered) : this.wait(owner, mayFill, stop)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** The same where a slot is free; null where it would wait. */
  enterAtOnce(owner: string, mayFill = true): (() => void) | null {
    if (!this.hasSlot(owner, mayFill)) return null
    this.take(owner)
    return this.leaving(owner)
  }

  private leaving(owner: string): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.release(owner)
    }
  }

  private hasSlot(owner: string, mayFill: boolean): boolean {
    const { slots, slotsOfOwner, spare } = this.options
    if (this.taken >= slots) return false
    if ((this.byOwner.get(owner) ?? 0) < slotsOfOwner) return true
    return mayFill && spare !== undefined && this.taken < slots - spare
  }

  private take(owner: string): void {
    this.taken++
    this.byOwner.set(owner, (this.byOwner.get(owner) ?? 0) + 1)
  }

  private release(owner: string): void {
    this.taken--
    const left = (this.byOwner.get(owner) ?? 1) - 1
    if (left > 0) this.byOwner.set(owner, left)
    else this.byOwner.delete(owner)
    for (const next of this.waiting) {
      if (!this.hasSlot(next.owner, next.mayFill) || this.hasLeft(next)) continue
      this.take(next.owner)
      next.enter()
      return
    }
  }

  private requireShare(owner: string): void {
    const waiting = [...this.waiting].filter((other) => other.owner === owner).length
    if (waiting >= this.options.maxWaiting / 10) throw this.refusal('queue full')
  }

  private wait(owner: string, mayFill: boolean, stop?: Stop): Promise<() => void> {
    if (!mayFill) this.requireShare(owner)
    if (this.waiting.size >= this.options.maxWaiting) throw this.refusal('queue full')
    const reason = typeof stop === 'function' ? stop() : null
    if (reason) throw reason
    return new Promise((resolve, reject) => {
      const signal = typeof stop === 'function' ? undefined : stop
      const leave = () => {
        this.waiting.delete(entry)
        signal?.removeEventListener('abort', onAbort)
      }
      const refuse = (reason: unknown) => {
        leave()
        reject(reason)
      }
      const enter = () => {
        leave()
        resolve(this.leaving(owner))
      }
      const onAbort = () => refuse(signal?.reason)
      const until = performance.now() + this.options.waitMs
      const entry: Waiting = { owner, mayFill, until, stop, enter, refuse }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiting.add(entry)
      this.watch()
    })
  }

  /** One timer for all: most wait for a moment. */
  private watch(): void {
    this.timer ??= setTimeout(this.look, Math.min(LOOK_MS, this.options.waitMs)).unref()
  }

  private readonly look = (): void => {
    this.timer = null
    const now = performance.now()
    for (const one of this.waiting)
      if (!this.hasLeft(one) && one.until <= now) one.refuse(this.refusal('waited too long'))
    if (this.waiting.size > 0) this.watch()
  }

  /** Removes one that need not wait any more. */
  private hasLeft({ stop, refuse }: Waiting): boolean {
    const reason = typeof stop === 'function' ? stop() : null
    if (reason) refuse(reason)
    return reason !== null
  }

  private refusal(reason: string): AppError {
    const { name, what, retryAfterS: retryAfter } = this.options
    metrics().shed.inc({ what: name, reason })
    return new AppError('unavailable', `Too many ${what} are running; try again in a moment`, {
      retryAfter,
    })
  }
}
