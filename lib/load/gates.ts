import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { whenSettled } from '@/lib/values/when-settled'
import { Gate, type Stop } from './gate'

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
