import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client, Pool } from 'pg'
import type { Log } from '@/lib/log'
import type { CopyOut } from './copy-out'
import { reasonOf } from './errors'
import { KeptConnection } from './kept-connection'
import { type Lsn, parseLsn, type WrittenPositions } from './log-position'
import { isPooled } from './poolers'
import { endInTime, guard, openPool, openPooled, postgresCopy } from './postgres'
import { probeServer } from './postgres-connection'
import * as schema from './schema'
import { ServerWatch } from './server-watch'
import type { Db } from './sql'

/** Where to read. Another object after each time that the replica was away: what was kept of it may not hold any more. */
export type ReplicaReader = { db: Db; copyOut: CopyOut }

export type ReplicaState = {
  /** Host and database. */
  name: string
  status: 'fresh' | 'stale' | 'away' | 'refused'
  /** How old the state that it shows is, at least; null while that is not known. */
  lagMs: number | null
  /** Why it is away or refused. */
  reason: string | null
}

type Options = {
  url: string
  poolSize: number
  written: WrittenPositions
  primary: () => Promise<ServerIdentity>
  log: Log
}

const PROBE_MS = 1_000
/** A replica that is away or refused is tried this often. */
const RETRY_MS = 1_000

const PROBE = `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn()::text as replayed`

/** One replica: its pool, and what the last probe found. */
export class Replica {
  readonly name: string
  /** How many reads run. */
  active = 0
  /** Null while nothing may be read. */
  reader: ReplicaReader | null = null
  replayed: Lsn = -1n
  /** It shows what was committed before this time, of `performance.now()`. */
  showsUntil = -Infinity
  private lagMs: number | null = null
  private failure: { error: unknown; at: number } | null = null
  private opened: (ReplicaReader & { close: () => Promise<void> }) | null = null
  private probing: Promise<void> | null = null
  private readonly connection: KeptConnection

  constructor(private readonly options: Options) {
    const { host, pathname } = new URL(options.url)
    this.name = `${host}${pathname}`
    this.connection = new KeptConnection(options.url, {
      onOpen: (client) => this.verify(client),
      onLost: () => this.lose(),
      timeoutMs: PROBE_MS,
    })
  }

  /** Finds out what it has replayed. Never rejects. Does nothing while it was away just before. */
  probe(): Promise<void> {
    this.probing ??= this.probeOnce().finally(() => {
      this.probing = null
    })
    return this.probing
  }

  /** Throws `NotAReplicaError` if that is what the last probe found. */
  requireReplica(): void {
    if (this.failure?.error instanceof NotAReplicaError) throw this.failure.error
  }

  /** How long ago, at the last probe, was what it shows. */
  get lastLagMs(): number {
    return this.reader ? (this.lagMs ?? Infinity) : Infinity
  }

  state(maxLagMs: number): ReplicaState {
    const { name, failure } = this
    const reason = failure && reasonOf(failure.error)
    if (failure?.error instanceof NotAReplicaError)
      return { name, status: 'refused', lagMs: null, reason }
    if (!this.reader) return { name, status: 'away', lagMs: null, reason }
    const lagMs = this.lagMs === null ? null : Math.round(this.lagMs)
    const isFresh = performance.now() - this.showsUntil <= maxLagMs
    return { name, status: isFresh ? 'fresh' : 'stale', lagMs, reason: null }
  }

  /** Reads nothing from it until it was probed again. */
  lose(): void {
    this.reader = null
    this.replayed = -1n
    this.showsUntil = -Infinity
    this.lagMs = null
  }

  /** Reads nothing from it until it was found to be a replica of the primary again. */
  forget(): void {
    this.lose()
    this.connection.drop()
  }

  async close(): Promise<void> {
    await this.connection.close()
    await this.opened?.close()
  }

  private async probeOnce(): Promise<void> {
    const now = performance.now()
    if (this.failure && now - this.failure.at < RETRY_MS) return
    try {
      const found = await this.connection.ask<{ isReplica: boolean; replayed: string | null }>(
        PROBE,
      )
      if (!found.isReplica)
        throw new NotAReplicaError(`${this.name} is no replica any more: it was promoted`)
      this.note(parseLsn(found.replayed ?? '') ?? -1n, now)
    } catch (error) {
      this.lose()
      if (!this.failure)
        this.options.log.warn({ replica: this.name, reason: reasonOf(error) }, 'replica not read')
      this.failure = { error, at: performance.now() }
    }
  }

  private note(replayed: Lsn, askedAt: number): void {
    const { written } = this.options
    if (this.failure) this.options.log.info({ replica: this.name }, 'replica read again')
    this.failure = null
    this.replayed = replayed
    this.showsUntil = written.shownBy(replayed)
    const since = this.showsUntil === -Infinity ? written.firstAt : this.showsUntil
    this.lagMs = since === null ? null : Math.max(0, askedAt - since)
    this.reader ??= this.opened && { db: this.opened.db, copyOut: this.opened.copyOut }
  }

  private async verify(client: Parameters<typeof identify>[0] & Parameters<typeof isPooled>[0]) {
    const [primary, found] = [await this.options.primary(), await identify(client)]
    requireReplicaOf(primary, found, this.name)
    this.opened ??= open(this.options, await isPooled(client))
  }
}

function open({ url, poolSize }: Options, pooled: boolean) {
  const pool = pooled ? openPooled(url, poolSize) : openPool(url, poolSize)
  const watch = new ServerWatch((timeoutMs) => probeServer(url, timeoutMs))
  const guarded = guard(pool, { poolSize, watch, isPooled: pooled })
  return {
    db: drizzle(guarded as unknown as Pool, { schema }),
    copyOut: postgresCopy(() => pool.connect(), watch),
    close: async () => {
      watch.stop()
      await endInTime(pool)
    },
  }
}

/** What tells a replica of a server from anything else. */
export type ServerIdentity = {
  /** Given by `initdb`, and the same for all replicas of a server. */
  system: string
  /** The number of the database that the connection leads to. */
  database: string
  /** Changes when a replica is promoted: a replica of the former primary keeps the former one. */
  timeline: number
  isReplica: boolean
}

const IDENTITY = `
  select (pg_control_system()).system_identifier::text as system,
    (select oid::text from pg_database where datname = current_database()) as database,
    (pg_control_checkpoint()).timeline_id as timeline, pg_is_in_recovery() as "isReplica"`

export async function identify(client: Pick<Client, 'query'>): Promise<ServerIdentity> {
  const { rows } = await client.query<ServerIdentity>(IDENTITY)
  const [identity] = rows
  if (!identity) throw new Error('The server returned no identity')
  return identity
}

/** Why reads must not go there, whatever its lag. */
class NotAReplicaError extends Error {}

/** Throws `NotAReplicaError`, and an `Error` for what may be over soon. `name` is that of the replica, without its password. */
function requireReplicaOf(primary: ServerIdentity, found: ServerIdentity, name: string): void {
  const refuse = (why: string): never => {
    throw new NotAReplicaError(`DATABASE_REPLICA_URLS: ${name} ${why}`)
  }
  if (found.system !== primary.system) refuse('is a replica of another server, or none')
  if (!found.isReplica)
    refuse('is no replica: it accepts changes. Leave it out, or set the address of a replica')
  if (found.database !== primary.database) refuse('leads to another database than DATABASE_URL')
  if (found.timeline !== primary.timeline)
    throw new Error(`${name} follows another timeline than the primary`)
}
