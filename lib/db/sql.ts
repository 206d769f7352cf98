import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { ClientBase } from 'pg'
import type { TableName } from '@/lib/definitions/definition'
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
  | 'engine_webhooks'
  | 'engine_credentials'

/**
 * A connection of its caller alone, whose statements have no limit of time; always release it. The embedded database has one: all
 * others wait meanwhile.
 */
type OwnConnection = { client: ClientBase; release(): Promise<void> }

export type Database = {
  dialect: 'postgres' | 'pglite'
  db: Db
  locks: Locks
  bus: Bus
  copyOut: CopyOut
  connectAlone: () => Promise<OwnConnection>
  /** Closes after running statements. */
  close(): Promise<void>
}

/**
 * Runs raw SQL and returns its rows. Drivers differ in how they read `bigint`, `numeric` and times:
 * cast those in the SQL (`::int`, `::text`).
 */
export async function rows<Row>(db: Db, query: SQL): Promise<Row[]> {
  const result: unknown = await db.execute(query)
  return Array.isArray(result) ? (result as Row[]) : (result as { rows: Row[] }).rows
}

/** The only row of a result that always has one, such as `insert … returning`. */
export function one<Row>(found: Row[]): Row {
  const [row] = found
  if (found.length !== 1 || row === undefined)
    throw new Error(`Expected 1 row, got ${found.length}`)
  return row
}

/** `"schema"."name"`, quoted. */
export const tableSql = ({ schema, name }: TableName): SQL =>
  sql`${sql.identifier(schema)}.${sql.identifier(name)}`

/** A text array as one bound parameter, whichever driver. */
export const textArray = (values: readonly string[]): SQL =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/** The start of the current transaction, by the clock of the database. */
export const now = sql`now()`

/** The time as it is, also within a long transaction. */
export const clockTime = sql`clock_timestamp()`

export const plus = (column: SQLWrapper, amount: number): SQL => sql`${column} + ${amount}`

export const lower = (text: SQLWrapper | string): SQL<string> => sql`lower(${text})`

/**
 * The name of a role as it is compared: in lower case, with one form of the sigma and of the dotted i, of which JavaScript, in whose
 * lower case names of policies are stored, and PostgreSQL make different ones.
 */
export const foldedRole = (name: SQLWrapper | string): SQL<string> =>
  sql`translate(lower(${name}), U&'\\03C2\\0307', U&'\\03C3')`

/** Runs a statement and returns how many rows it wrote. */
export async function affectedRows(db: Db, statement: SQLWrapper): Promise<number> {
  const result: unknown = await db.execute(statement)
  const { rowCount, affectedRows } = result as { rowCount?: number; affectedRows?: number }
  return rowCount ?? affectedRows ?? 0
}
