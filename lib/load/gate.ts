import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'

export type GateOptions = {
  name: string
  /** How many slots there are. */
  slots: number
  /** How many slots one owner may hold. */
  slotsOfOwner: number
  maxWaiting: number
  waitMs: number
  /** What `Retry-After` says of a refusal. */
  retryAfterS: number
  /** The kind of work, for the message "Too many … are running". */
  what: string
}

type Waiting = { owner: string; enter: () => void }

/**
 * Slots for work of one kind. Work waits for a free slot in order of arrival, up to a time limit.
 */
export class Gate {
  private taken = 0
  private readonly byOwner = new Map<string, number>()
  private readonly waiting = new Set<Waiting>()

  constructor(private readonly options: GateOptions) {}

  /**
   * A slot for `owner`; call the result to release it (further calls do nothing). Throws
   * `unavailable` when none is free in time or too many wait already, and the reason of `signal`
   * when it aborts.
   */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.hasSlot(owner)) this.take(owner)
    else await this.wait(owner, signal)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.release(owner)
    }
  }

  private hasSlot(owner: string): boolean {
    const { slots, slotsOfOwner } = this.options
    return this.taken < slots && (this.byOwner.get(owner) ?? 0) < slotsOfOwner
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
      if (!this.hasSlot(next.owner)) continue
      this.take(next.owner)
      next.enter()
      return
    }
  }

  private wait(owner: string, signal?: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.options.maxWaiting) throw this.refusal('queue full')
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(entry)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const onAbort = () => {
        leave()
        reject(signal?.reason)
      }
      const entry: Waiting = { owner, enter }
      const timer = setTimeout(() => {
        leave()
        reject(this.refusal('waited too long'))
      }, this.options.waitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiting.add(entry)
    })
  }

  private refusal(reason: string): AppError {
    const { name, what, retryAfterS: retryAfter } = this.options
    metrics().shed.inc({ what: name, reason })
    return new AppError('unavailable', `Too many ${what} are running; try again in a moment`, {
      retryAfter,
    })
  }
}
