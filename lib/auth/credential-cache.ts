import { withBudget, withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'

/** What was read from the database, and for how long it may be used; null: for any time. */
export type Loaded<T> = { value: T; expiresInMs: number | null }

/** The longest time that a process accepts what was revoked if it misses the message. */
const MAX_AGE_MS = 5_000
/** Others may wait for a load, whatever time its own request has. */
const LOAD_MS = 10_000
/** The least recently loaded credentials are forgotten first. */
const MAX_ENTRIES = 2_000

type Entry = { value: unknown; validUntil: number }

/**
 * Credentials that were found valid a moment ago, with the rights that belong to them. The triggers of
 * their tables empty it at each commit that may change one (`drizzle/0001_credential_notices.sql`).
 */
export class CredentialCache {
  private readonly entries = new Map<string, Entry>()
  private readonly loading = new Map<string, { generation: number; value: Promise<unknown> }>()
  /** Increased when the cache is emptied: what began to load before may be out of date. */
  private generation = 0
  private isSubscribed = false

  constructor(private readonly bus: Deps['bus']) {}

  /** The value kept for `key`; null where none is. `key` contains no secret, only a hash of it. */
  known<T>(key: string): T | null {
    this.subscribe()
    const known = this.entries.get(key)
    return known && performance.now() < known.validUntil ? (known.value as T) : null
  }

  /** The same, or else the value of `load`, which is kept unless it is null. */
  async find<T>(key: string, load: () => Promise<Loaded<T> | null>): Promise<T | null> {
    const known = this.known<T>(key)
    if (known) return known
    const { generation } = this
    const running = this.loading.get(key)
    // Those who ask at once share one answer; not the failure of another, whose request may have been given up.
    if (running?.generation === generation) {
      const [found] = await Promise.allSettled([running.value])
      if (found.status === 'fulfilled') return found.value as T | null
    }
    const bounded = () => withBudget({ ms: LOAD_MS }, load)
    const own = { generation, value: this.load(key, bounded) }
    this.loading.set(key, own)
    return own.value.finally(() => {
      if (this.loading.get(key) === own) this.loading.delete(key)
    })
  }

  private async load<T>(key: string, load: () => Promise<Loaded<T> | null>): Promise<T | null> {
    const startedAt = performance.now()
    const { generation } = this
    const loaded = await load()
    this.entries.delete(key)
    if (!loaded) return null
    const { value, expiresInMs } = loaded
    if (generation === this.generation) {
      const ageMs = Math.min(MAX_AGE_MS, expiresInMs ?? Infinity)
      this.keep(key, { value, validUntil: startedAt + ageMs })
    }
    return value
  }

  private keep(key: string, entry: Entry): void {
    this.entries.set(key, entry)
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest)
  }

  private readonly clear = (): void => {
    this.generation++
    this.entries.clear()
  }

  /** Without a subscription only the expiry keeps the cache right, so a failed one is retried. */
  private subscribe(): void {
    if (this.isSubscribed) return
    this.isSubscribed = true
    withOwnBudget({}, () => this.bus.subscribe('engine_credentials', this.clear)).catch(() => {
      this.isSubscribed = false
    })
  }
}

// On `globalThis`: each route is a bundle with a copy of this module. By the bus that empties it.
const shared = globalThis as typeof globalThis & {
  __engineCredentials?: WeakMap<Deps['bus'], CredentialCache>
}
shared.__engineCredentials ??= new WeakMap()
const caches = shared.__engineCredentials

export function credentialsOf({ bus }: Pick<Deps, 'bus'>): CredentialCache {
  const known = caches.get(bus)
  if (known) return known
  const made = new CredentialCache(bus)
  caches.set(bus, made)
  return made
}
