import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'
import { whenSettled } from '@/lib/values/when-settled'

/**
 * `search`: everything that reads many records; its limit leaves connections free for requests that
 * read few. `costly search` and `export` are searches too, and take a slot of both kinds. An `import` keeps a connection, and waits
 * long for its turn.
 */
export type Kind = 'search' | 'costly search' | 'export' | 'import'

type Sized = Pick<Deps, 'dialect' | 'settings' | 'db' | 'primary'>

// On `globalThis`: each route is a bundle with a copy of this module. By settings, for tests' sake; by its
// database for a replica, whose connections are its own.
const shared = globalThis as typeof globalThis & {
  __engineGates?: WeakMap<object, Record<Kind, Gate>>
}

/** What ends waiting: a signal, or a function that is asked now and then, and returns the reason. */
type Stop = AbortSignal | (() => Error | null)

/** Runs `work` when a slot is free; throws `unavailable` when none is free in time. */
export function withSlot<T>(
  deps: Sized,
  kind: Kind,
  { actor, signal }: { actor: Actor | null; signal?: Stop },
  work: () => Promise<T>,
): Promise<T> {
  const leave = takeAtOnce(deps, kind, actor, signal)
  return leave
    ? whenSettled(work, leave)
    : takeSlot(deps, kind, { actor, signal }).then((leave) => whenSettled(work, leave))
}

/** Most searches find a slot free, and need not wait for anything then. */
function takeAtOnce(
  deps: Sized,
  kind: Kind,
  actor: Actor | null,
  stop: Stop | undefined,
): (() => void) | null {
  if (kind !== 'search' || stop instanceof AbortSignal) return null
  return gatesOf(deps).search.enterAtOnce(ownerOf(actor), mayFill(actor))
}

const ownerOf = (actor: Actor | null) => (actor ? (actor.userId ?? actor.id) : 'the server')
const mayFill = (actor: Actor | null) => actor?.type !== 'anonymous'

/** As `withSlot`, for work that ends elsewhere: call the result to release the slot. */
export function takeSlot(
  deps: Sized,
  kind: Kind,
  { actor, signal }: { actor: Actor | null; signal?: Stop },
): Promise<() => void> {
  const gates = gatesOf(deps)
  const enter = (gate: Gate) => gate.enter(ownerOf(actor), signal, mayFill(actor))
  if (kind === 'search' || kind === 'import') return enter(gates[kind])
  return takeBoth(
    () => enter(gates[kind]),
    () => enter(gates.search),
  )
}

/** The scarce slot first, so that a request that waits for it holds no other. */
async function takeBoth(
  enter: () => Promise<() => void>,
  enterSearch: () => Promise<() => void>,
): Promise<() => void> {
  const leave = await enter()
  try {
    const leaveSearch = await enterSearch()
    return () => {
      leaveSearch()
      leave()
    }
  } catch (error) {
    leave()
    throw error
  }
}

function gatesOf(deps: Sized): Record<Kind, Gate> {
  shared.__engineGates ??= new WeakMap()
  const owner = deps.primary ? deps.db : deps.settings
  const known = shared.__engineGates.get(owner)
  if (known) return known
  const gates = makeGates(deps)
  shared.__engineGates.set(owner, gates)
  return gates
}

/** More than this would time out before a slot is free. */
const MAX_WAITING = 250

/** Their files wait on the disk. */
const IMPORTS = { waitMs: 600_000, maxWaiting: 20 }

type Refusal = { what: string; retryAfterS: number }

function makeGates({ dialect, settings }: Sized): Record<Kind, Gate> {
  const connections = dialect === 'postgres' ? settings.DATABASE_POOL_SIZE : 1
  const waitMs = settings.QUEUE_WAIT_MS
  const gate = (name: Kind, share: number, { what, retryAfterS }: Refusal, more = {}) => {
    const slots = Math.max(1, Math.floor(connections * share))
    const options = {
      name,
      slots,
      slotsOfOwner: Math.ceil(slots / 2),
      what,
      waitMs,
      retryAfterS,
    }
    return new Gate({ ...options, maxWaiting: MAX_WAITING, ...more })
  }
  return {
    search: gate('search', 0.6, { what: 'searches', retryAfterS: 2 }, { spare: 1 }),
    'costly search': gate('costly search', 0.2, { what: 'searches of this cost', retryAfterS: 5 }),
    export: gate('export', 0.3, { what: 'exports', retryAfterS: 10 }),
    import: gate('import', 0.2, { what: 'imports', retryAfterS: 60 }, IMPORTS),
  }
}

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
