import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { AppError } from '@/lib/errors'
import { type Budget, currentBudget, giveUpInTime, requireBudget, withBudget } from './budget'
import { asLost, isConnectionLost } from './errors'
import { BEGIN, GuardedClient, type RawClient, type Statement, textOf } from './guarded-client'
import { PreparedStatements } from './prepared-statements'
import { QuickReads } from './quick-reads'
import type { ServerWatch } from './server-watch'
import type { Db } from './sql'
import type { TextRow } from './text-read'

/** The part of pg's `Pool` that is used. */
export type RawPool<Connection = RawClient> = {
  connect(): Promise<Connection>
  /** A connection that is ready; null when there is none. */
  take?(): Connection | null
  readonly waitingCount: number
}

export type GuardOptions = {
  /** Asks the server to stop what `client` runs. A request may get lost, hence `cancelGraceMs`. */
  cancel: (client: RawClient) => void | Promise<void>
  /** A connection whose statement still runs this long after its cancellation is destroyed. */
  cancelGraceMs: number
  /** How long work waits for a connection that has no limit of its own. */
  acquireMs: number
  /** How many requests may wait for a connection; further ones are refused immediately. */
  maxWaiting: number
  /** Whether statements whose budget allows it are stopped when other requests wait. */
  yields?: boolean
  /**
   * Whether statements that come again are prepared. Not where a new connection finds the session of
   * the one before, with its prepared statements: on the embedded database.
   */
  prepares?: boolean
  /** A statement that follows the begin of each transaction, for settings that a connection can't keep. */
  ofTransaction?: string | undefined
  /** Whether the server reads what a client sends for `copy … from stdin`. */
  takesCopies?: boolean
  /** For servers that may stop responding. */
  watch?: ServerWatch
}

/**
 * A pool in which every wait has a limit: for a connection, for a response within the current
 * budget, for a server that does not respond. Refusals are `AppError`s `unavailable`; drizzle wraps
 * them in errors of its own (`refusalIn` finds them). A read whose connection broke is retried once
 * on another.
 */
export class GuardedPool {
  constructor(
    private readonly pool: RawPool,
    private readonly options: GuardOptions,
  ) {
    if (!options.prepares) return
    this.prepared = new PreparedStatements()
    this.quick = new QuickReads(this.prepared, options, () => pool.take?.() ?? null)
  }

  private readonly prepared: PreparedStatements | undefined
  private readonly quick: QuickReads | undefined
  /** What requests wait for a connection, once for each wait. */
  private readonly waits = new Set<Pick<Budget, 'request'>>()

  get takesCopies(): boolean {
    return this.options.takesCopies === true
  }

  async query(statement: Statement, values?: unknown[]): Promise<unknown> {
    if (BEGIN.test(textOf(statement)))
      throw new Error('A transaction needs a connection of its own')
    try {
      return await this.queryOnce(statement, values)
    } catch (error) {
      if (!isConnectionLost(error) || !isRead(statement)) throw error
      return this.queryOnce(statement, values)
    }
  }

  /** The rows of a statement that changes nothing, with values as texts; see `readTexts`. */
  async readTexts(statement: { text: string }, values: (string | null)[]): Promise<TextRow[]> {
    const budget = currentBudget()
    requireBudget(budget)
    this.options.watch?.requireLife(budget)
    const found = await this.quick?.read(statement, values, budget)
    if (found) return found
    const { text } = statement
    const result = await this.query({ text, rowMode: 'array', types: AS_TEXT } as Statement, values)
    return (result as { rows: TextRow[] }).rows
  }

  /** A connection for several statements; release it by `release`. */
  async connect(): Promise<GuardedClient> {
    const budget = currentBudget()
    requireBudget(budget)
    this.options.watch?.requireLife(budget)
    if (this.pool.waitingCount >= this.options.maxWaiting) throw busy()
    return new GuardedClient(await this.acquire(budget), this.options, this.prepared)
  }

  private async queryOnce(statement: Statement, values?: unknown[]): Promise<unknown> {
    const client = await this.connect()
    try {
      const send = () => client.query(statement, values)
      return await (this.options.yields ? this.yielding(send) : send())
    } finally {
      client.release()
    }
  }

  /** Ends `work` when its time is over and other requests wait for a connection. */
  private async yielding<T>(work: () => Promise<T>): Promise<T> {
    const { yieldsAfterMs, exceeded, request } = currentBudget()
    if (yieldsAfterMs === undefined) return work()
    const stop = new AbortController()
    const yieldsAt = performance.now() + yieldsAfterMs
    const timer = setInterval(() => {
      if (performance.now() < yieldsAt || !this.othersWait(request)) return
      clearInterval(timer)
      stop.abort(exceeded())
    }, LOOK_AT_WAITING_MS)
    try {
      return await withBudget({ signal: stop.signal }, work)
    } finally {
      clearInterval(timer)
    }
  }

  /** Whether another request than this waits for a connection; the server's own jobs may wait. */
  private othersWait(request: Budget['request']): boolean {
    return [...this.waits].some((other) => other.request && other.request !== request)
  }

  /** A connection that arrives too late is returned to the pool. */
  private async acquire(budget: Budget): Promise<RawClient> {
    const ready = this.pool.take?.()
    if (ready) return ready
    const connecting = this.pool.connect()
    const putBack = () => void connecting.then((client) => client.release()).catch(() => {})
    const now = performance.now()
    const waitsUntil =
      budget.waitsUntil === Infinity
        ? now + this.options.acquireMs
        : Math.max(budget.waitsUntil, now + SHORT_WAIT_MS)
    const waiting = { ...budget, deadline: Math.min(budget.deadline, waitsUntil) }
    const isOwnFault = budget.deadline < waitsUntil && budget.deadline - now < SHORT_WAIT_MS
    const exceeded = isOwnFault ? budget.exceeded : busy
    this.waits.add(waiting)
    try {
      return await giveUpInTime(connecting, { ...waiting, exceeded }, putBack)
    } catch (error) {
      throw asLost(error)
    } finally {
      this.waits.delete(waiting)
    }
  }
}

const AS_TEXT = { getTypeParser: () => (text: string) => text }
const LOOK_AT_WAITING_MS = 50
/** Wait that is allowed when the time is over: the work done before is worth it. */
const SHORT_WAIT_MS = 500

// drizzle recognises a pool by the name of its class, which a production build would shorten;
// otherwise it would send the statements of a transaction to different connections.
Object.defineProperty(GuardedPool, 'name', { value: 'GuardedPool' })

/** Whether a statement may be sent twice: by its text, it changes nothing. */
function isRead(statement: Statement): boolean {
  const text = textOf(statement)
  return /^\s*(select|with)\b/i.test(text) && !CHANGES.test(text)
}

const CHANGES =
  /\b(insert|update|delete|merge|into|nextval|setval|pg_notify|pg_advisory_lock|set_config)\b/i

const busy = () =>
  new AppError('unavailable', 'The server is busy; try again in a moment', { retryAfter: 1 })

/**
 * Runs a statement that no transaction may contain, and that waits for locks as long as it takes: building or
 * dropping an index concurrently. The statement must have no parameters.
 */
export async function runAlone(db: Db, statement: SQL): Promise<void> {
  const pool = (db as unknown as { $client: GuardedPool }).$client
  const client = await pool.connect()
  try {
    const result = (await client.query(`select current_setting('lock_timeout') as ms`)) as {
      rows: { ms: string }[]
    }
    await client.query('set lock_timeout = 0')
    try {
      await client.query(new PgDialect().sqlToQuery(statement).sql)
    } finally {
      await client.query(`set lock_timeout = '${result.rows[0]?.ms ?? 0}'`)
    }
  } finally {
    client.release()
  }
}
