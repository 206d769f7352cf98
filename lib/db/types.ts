import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { CopyOut } from './copy-out'
import type * as schema from './schema'

/**
 * The database or an open transaction, of either driver.
 * The embedded database has one connection: inside `db.transaction(tx => …)` use `tx` alone, since
 * `db` waits there for the transaction to end.
 */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** Mutual exclusion between requests, and between processes where they share a server. */
export interface Locks {
  /**
   * Takes `key`. Waits up to `waitMs`, then throws `conflict`. The lock ends with the process.
   * Always release it: each one holds a connection.
   */
  take(key: string, waitMs: number): Promise<Lock>
  /** Runs `work` while holding `key`, as `take`. */
  hold<T>(key: string, waitMs: number, work: (also: Lock['also']) => Promise<T>): Promise<T>
  /** Whether `key` is locked now, by this or another process. */
  isHeld(key: string): Promise<boolean>
}
export type Lock = {
  /**
   * Takes a further key, which is released with the first; as `take`, without another connection.
   */
  also(key: string, waitMs: number): Promise<void>
  release(): Promise<void>
}

/** Messages between all processes on one database; delivered at most once, so only for hints. */
export interface Bus {
  publish(channel: BusChannel, payload: string): Promise<void>
  /** Returns a function that ends the subscription. */
  subscribe(channel: BusChannel, listener: (payload: string) => void): Promise<() => void>
}
/** `engine_credentials` is published by triggers of the database alone. */
export type BusChannel =
  | 'engine_registry'
  | 'engine_installs'
  | 'engine_mail'
  | 'engine_credentials'

export type Database = {
  dialect: 'postgres' | 'pglite'
  db: Db
  locks: Locks
  bus: Bus
  copyOut: CopyOut
  /** Closes after running statements. */
  close(): Promise<void>
}
