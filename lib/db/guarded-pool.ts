import { AppError } from '@/lib/errors'
import { type Budget, currentBudget, withBudget } from './budget'
import { asLost, isConnectionLost } from './errors'
import { giveUpInTime, requireBudget } from './give-up'
import { BEGIN, GuardedClient, type RawClient, type Statement, textOf } from './guarded-client'
import { PreparedStatements } from './prepared-statements'
import type { ServerWatch } from './server-watch'

/** What of pg's `Pool` is needed. */
export type RawPool = {
  connect(): Promise<RawClient>
  readonly waitingCount: number
}

export type GuardOptions = {
  /** Asks the server to stop what `client` runs. A request may get lost, hence `cancelGraceMs`. */
  cancel: (client: RawClient) => void | Promise<void>
  /** A connection whose statement goes on for so long after its cancellation is destroyed. */
  cancelGraceMs: number
  /** How long work waits for a connection that has no limit of its own. */
  acquireMs: number
  /** How many requests wait for a connection; further ones are refused at once. */
  maxWaiting: number
  /** Whether statements whose budget says so make room for those who wait. */
  yields?: boolean
  /** For servers that may fall silent. */
  watch?: ServerWatch
}

/**
 * A pool whose every wait has an end: for a connection, for an answer within the present budget, for
 * a server that has fallen silent. Refusals are `AppError`s `unavailable`; drizzle wraps them in errors
 * of its own (`refusalIn` finds them). A read whose connection broke is sent once more on another.
 */
export class GuardedPool {
  constructor(
    private readonly pool: RawPool,
    private readonly options: GuardOptions,
  ) {}

  private readonly prepared = new PreparedStatements()

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

  /** A connection for several statements; give it back by `release`. */
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

  /** Ends `work` for those who wait for a connection, once it has had its time. */
  private async yielding<T>(work: () => Promise<T>): Promise<T> {
    const { yieldsAfterMs, exceeded } = currentBudget()
    if (yieldsAfterMs === undefined) return work()
    const stop = new AbortController()
    const yieldsAt = performance.now() + yieldsAfterMs
    const timer = setInterval(() => {
      if (this.pool.waitingCount === 0 || performance.now() < yieldsAt) return
      clearInterval(timer)
      stop.abort(exceeded())
    }, LOOK_AT_WAITING_MS)
    try {
      return await withBudget({ signal: stop.signal }, work)
    } finally {
      clearInterval(timer)
    }
  }

  /** A connection that comes too late goes back to the pool. */
  private async acquire(budget: Budget): Promise<RawClient> {
    const connecting = this.pool.connect()
    const putBack = () => void connecting.then((client) => client.release()).catch(() => {})
    const now = performance.now()
    const waitsUntil =
      budget.waitsUntil === Infinity
        ? now + this.options.acquireMs
        : Math.max(budget.waitsUntil, now + SHORT_WAIT_MS)
    const patient = { ...budget, deadline: Math.min(budget.deadline, waitsUntil) }
    const exceeded = budget.deadline < waitsUntil ? budget.exceeded : busy
    try {
      return await giveUpInTime(connecting, { ...patient, exceeded }, putBack)
    } catch (error) {
      throw asLost(error)
    }
  }
}

const LOOK_AT_WAITING_MS = 50
/** Granted to those who have waited for all of their time: what they have done is worth a moment. */
const SHORT_WAIT_MS = 500

// drizzle knows a pool by the word in the name of its class, which a production build would shorten;
// it would send the statements of a transaction to any connections otherwise.
Object.defineProperty(GuardedPool, 'name', { value: 'GuardedPool' })

/** Whether a statement may be sent twice: it changes nothing, as far as its words tell. */
function isRead(statement: Statement): boolean {
  const text = textOf(statement)
  return /^\s*(select|with)\b/i.test(text) && !CHANGES.test(text)
}

const CHANGES =
  /\b(insert|update|delete|merge|into|nextval|setval|pg_notify|pg_advisory_lock|set_config)\b/i

const busy = () =>
  new AppError('unavailable', 'The server is busy; try again in a moment', { retryAfter: 1 })
