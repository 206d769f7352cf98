import { setTimeout as delay } from 'node:timers/promises'
import { SharedReading } from '@/lib/async/shared-reading'
import type { Log } from '@/lib/log'
import { KeptConnection } from './kept-connection'
import { LAST_LSN, type Lsn, maxLsn, parseLsn, WrittenPositions } from './log-position'
import { identify, Replica, type ReplicaState, type ServerIdentity } from './replica'

export type ReplicasOptions = {
  /** The address of the primary, and those of its replicas. */
  url: string
  replicaUrls: readonly string[]
  /** Connections to each. */
  poolSize: number
  maxLagMs: number
  log: Log
}

/** How long a read waits for a replica that is about to have replayed what it needs. */
const WAIT_MS = 100
const WAIT_STEP_MS = 5
const ASK_PRIMARY_MS = 1_000
const MAX_PROBE_EVERY_MS = 250
const MIN_PROBE_EVERY_MS = 10
/** The lag is measured this much finer than it may be. */
const LAG_STEPS = 100

/** All commits end before `inserted`; what replicas can have received, before `flushed`. */
const POSITIONS = `select pg_current_wal_flush_lsn()::text as flushed, pg_current_wal_insert_lsn()::text as inserted,
  current_setting('synchronous_commit') <> 'off' as "isFlushed"`
type Positions = { flushed: string; inserted: string; isFlushed: boolean }

/** The replicas of the primary, and which of them a read may use. */
export class Replicas {
  private readonly replicas: Replica[]
  private readonly primary: KeptConnection
  private readonly written: WrittenPositions
  private readonly committed = new SharedReading(() => this.readCommitted())
  /** All definitions that this process knows were committed before. */
  private definitions: Lsn = LAST_LSN
  private identity: ServerIdentity | null = null
  private looking: Promise<void> | null = null
  private timer: NodeJS.Timeout | undefined
  private turn = 0

  private constructor(private readonly options: ReplicasOptions) {
    const { url, replicaUrls, poolSize, maxLagMs, log } = options
    this.written = new WrittenPositions(maxLagMs / LAG_STEPS)
    this.primary = new KeptConnection(url, {
      onOpen: async (client) => {
        this.identity = await identify(client)
      },
      onLost: () => this.primaryLost(),
      timeoutMs: ASK_PRIMARY_MS,
    })
    const primary = () => this.identifyPrimary()
    const shared = { poolSize, written: this.written, primary, log }
    this.replicas = replicaUrls.map((replica) => new Replica({ ...shared, url: replica }))
  }

  /**
   * Begins to watch the replicas. One that can't be reached is used as soon as it can. Throws when an address leads to
   * something that is no replica of the primary.
   */
  static async open(options: ReplicasOptions): Promise<Replicas> {
    const opened = new Replicas(options)
    try {
      await opened.samplePrimary()
      await Promise.all(opened.replicas.map((replica) => replica.probe()))
      for (const replica of opened.replicas) replica.requireReplica()
    } catch (error) {
      await opened.close()
      throw error
    }
    opened.start()
    return opened
  }

  /**
   * The replica to read from, which shows what was committed before `after`, all definitions that this process knows,
   * and nothing older than the greatest lag. Waits briefly for one that is about to. Null: read from the primary.
   */
  async choose(after: Lsn | null): Promise<Replica | null> {
    const found = this.pick(after)
    if (found || after === LAST_LSN) return found
    const until = performance.now() + WAIT_MS
    while (performance.now() < until && this.replicas.some(isFollowing)) {
      await Promise.race([this.look(), delay(WAIT_MS, undefined, { ref: false })])
      const caughtUp = this.pick(after)
      if (caughtUp) return caughtUp
      await delay(WAIT_STEP_MS)
    }
    return null
  }

  /** A position after all that is committed now; the last one there is when the primary does not say. */
  position(): Promise<Lsn> {
    return this.committed.get().catch(() => LAST_LSN)
  }

  /** To be called before newly read definitions are used: no replica is read that has not replayed them. */
  async recordDefinitions(): Promise<void> {
    const position = await this.position()
    this.definitions = this.definitions === LAST_LSN ? position : maxLsn(this.definitions, position)
  }

  states(): ReplicaState[] {
    return this.replicas.map((replica) => replica.state(this.options.maxLagMs))
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all([this.primary.close(), ...this.replicas.map((replica) => replica.close())])
  }

  private start(): void {
    const everyMs = Math.min(MAX_PROBE_EVERY_MS, this.options.maxLagMs / 4)
    const look = () => void this.look()
    this.timer = setInterval(look, Math.max(MIN_PROBE_EVERY_MS, everyMs)).unref()
  }

  /** Of those that may be read the one with the fewest reads, in turn. */
  private pick(after: Lsn | null): Replica | null {
    const needed = maxLsn(after ?? 0n, this.definitions)
    const oldest = performance.now() - this.options.maxLagMs
    const ready = this.replicas.filter(
      ({ reader, replayed, showsUntil }) => reader && replayed >= needed && showsUntil >= oldest,
    )
    const fewest = Math.min(...ready.map(({ active }) => active))
    const idlest = ready.filter(({ active }) => active === fewest)
    return idlest[this.turn++ % idlest.length] ?? null
  }

  /** Looks at the primary and then at the replicas. Never rejects. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = null
    })
    return this.looking
  }

  private async lookOnce(): Promise<void> {
    await this.samplePrimary().catch(() => {})
    const known = this.replicas.filter(({ reader }) => reader)
    const probes = this.replicas.map((replica) => replica.probe())
    // One that does not respond must not delay what is known of the others.
    if (known.length > 0)
      await Promise.race([Promise.all(probes), delay(WAIT_MS, undefined, { ref: false })])
  }

  private async samplePrimary(): Promise<void> {
    const at = performance.now()
    const wasUnknown = this.definitions === LAST_LSN
    const { flushed, inserted } = await this.primary.ask<Positions>(POSITIONS)
    this.written.note(parseLsn(flushed) ?? LAST_LSN, at)
    if (wasUnknown && this.definitions === LAST_LSN)
      this.definitions = parseLsn(inserted) ?? LAST_LSN
  }

  private async readCommitted(): Promise<Lsn> {
    const { flushed, inserted, isFlushed } = await this.primary.ask<Positions>(POSITIONS)
    return parseLsn(isFlushed ? flushed : inserted) ?? LAST_LSN
  }

  private async identifyPrimary(): Promise<ServerIdentity> {
    if (!this.identity) await this.primary.ask('select')
    if (!this.identity) throw new Error('The primary does not respond')
    return this.identity
  }

  /** Another server may be the primary now. */
  private primaryLost(): void {
    this.identity = null
    this.definitions = LAST_LSN
    this.written.clear()
    for (const replica of this.replicas) replica.forget()
  }
}

const isFollowing = ({ lastLagMs }: Replica): boolean => lastLagMs <= WAIT_MS
