import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'

export type GateOptions = {
  name: string
  /** How much may be under way at once. */
  places: number
  /** How many of the places one owner may take. */
  placesOfOwner: number
  maxWaiting: number
  waitMs: number
  /** What `Retry-After` says of a refusal. */
  retryAfterS: number
  /** What is refused, for a sentence: "Too many … are running". */
  what: string
}

type Waiting = { owner: string; enter: () => void }

/** Places for work of one kind. Work that finds none waits its turn, for a while. */
export class Gate {
  private taken = 0
  private readonly byOwner = new Map<string, number>()
  private readonly waiting = new Set<Waiting>()

  constructor(private readonly options: GateOptions) {}

  /**
   * A place for `owner`, to be given back by calling the result (once more does nothing). Throws
   * `unavailable` when none came free in time or too many wait already, and what `signal` aborts with.
   */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.hasPlace(owner)) this.take(owner)
    else await this.wait(owner, signal)
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      this.giveBack(owner)
    }
  }

  private hasPlace(owner: string): boolean {
    const { places, placesOfOwner } = this.options
    return this.taken < places && (this.byOwner.get(owner) ?? 0) < placesOfOwner
  }

  private take(owner: string): void {
    this.taken++
    this.byOwner.set(owner, (this.byOwner.get(owner) ?? 0) + 1)
  }

  private giveBack(owner: string): void {
    this.taken--
    const left = (this.byOwner.get(owner) ?? 1) - 1
    if (left > 0) this.byOwner.set(owner, left)
    else this.byOwner.delete(owner)
    for (const next of this.waiting) {
      if (!this.hasPlace(next.owner)) continue
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
