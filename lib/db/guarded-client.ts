import { AppError } from '@/lib/errors'
import { type Budget, currentBudget, giveUpInTime, requireBudget } from './budget'
import { isCopyIn } from './copy-in'
import { asLost, databaseError, isConnectionLost, isStalePlan } from './errors'
import type { GuardOptions } from './guarded-pool'
import type { PreparedStatements } from './prepared-statements'

/** The part of pg's `PoolClient` that is used. */
export type RawClient = {
  query(statement: Statement, values?: unknown[]): Promise<unknown>
  /** Returns it to its pool, or closes it. */
  release(destroy?: boolean): void
}
export type Statement = string | { text: string }

export const textOf = (statement: Statement): string =>
  typeof statement === 'string' ? statement : statement.text

/**
 * A connection that is checked out of the pool. Statements run one after the other. When one has to
 * be abandoned, or the connection breaks, all later ones are refused: an open transaction is rolled
 * back, since the connection is closed and never used again.
 */
export class GuardedClient {
  private turn: Promise<unknown> = Promise.resolve()
  private running: Promise<unknown> | null = null
  /** Why no statement can be sent any more. */
  private lost: unknown = null
  /** The error after which the open transaction can only be rolled back. */
  private failure: unknown = null
  private isReleased = false
  private hasSent = false
  private readonly releaseRaw: RawClient['release']

  constructor(
    private readonly client: RawClient,
    private readonly options: Pick<
      GuardOptions,
      'cancel' | 'cancelGraceMs' | 'ofTransaction' | 'takesCopies' | 'watch'
    >,
    private readonly prepared?: PreparedStatements,
  ) {
    // pg's pool sets another `release` each time the connection is checked out: a late call must
    // not release it for its next user.
    this.releaseRaw = client.release.bind(client)
  }

  get takesCopies(): boolean {
    return this.options.takesCopies === true
  }

  query(statement: Statement, values?: unknown[]): Promise<unknown> {
    const budget = currentBudget()
    const result = this.turn.then(() => this.run(statement, values, budget))
    this.turn = result.catch(() => {})
    // drizzle releases a connection only after its transaction has begun.
    if (BEGIN.test(textOf(statement))) result.catch(() => this.releaseUnbegun())
    return result
  }

  /** Takes over a statement that was sent on the connection before; rejects when it has to be abandoned. */
  async follow(sent: Promise<unknown>, budget: Budget): Promise<void> {
    this.running = sent
    const abandon = (reason: AppError) => this.abandon(reason)
    const watched = this.options.watch?.wait(sent, budget, abandon) ?? sent
    await giveUpInTime(watched, budget, abandon)
  }

  /** For what was sent on the connection before and has ended, in `error` if it is not null. */
  releaseAfter(error: unknown): void {
    if (error !== null && isConnectionLost(asLost(error)) && !this.lost) this.recordFailure(error)
    else this.release()
  }

  /** Can always be called; a connection that can't be reused is closed. */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    // After an abandoned statement, `abandon` releases the connection.
    if (!this.lost) this.releaseRaw(this.prepared?.isFull(this.client) || undefined)
  }

  private releaseUnbegun(): void {
    if (!this.isReleased && !this.lost) this.releaseRaw(this.hasSent || undefined)
    this.isReleased = true
  }

  private async run(statement: Statement, values: unknown[] | undefined, present: Budget) {
    if (this.lost) throw this.lost
    const text = textOf(statement)
    const budget = ENDS.has(text) ? { ...present, ...END } : present
    requireBudget(budget)
    const startedAt = performance.now()
    this.hasSent = true
    const sent = this.sendOnce(statement, values, budget)
    this.running = sent
    const abandon = (reason: AppError) => this.abandon(reason)
    const watched = this.options.watch?.wait(sent, budget, abandon) ?? sent
    try {
      const result = await giveUpInTime(watched, budget, abandon)
      if (text === 'commit') this.requireCommitted(result)
      return result
    } catch (error) {
      throw this.recordFailure(error)
    } finally {
      if (budget.spent) recordTime(budget.spent, text, startedAt)
    }
  }

  /** Once more under a new name when a change of a table altered what a prepared statement returns. */
  private async sendOnce(statement: Statement, values: unknown[] | undefined, budget: Budget) {
    try {
      return await this.send(statement, values, budget)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.prepared?.forget(textOf(statement))
      // Nothing has run yet. A transaction has failed by it and must be repeated by the client.
      return this.send(statement, values, budget).catch((second) => {
        if (databaseError(second)?.code !== IN_FAILED_TRANSACTION) throw second
        throw new AppError('unavailable', CHANGED, { retryAfter: 1, cause: error })
      })
    }
  }

  private send(statement: Statement, values: unknown[] | undefined, budget: Budget) {
    const text = textOf(statement)
    if (BEGIN.test(text)) return this.client.query(this.beginning(text, budget), values)
    if (isCopyIn(statement)) {
      void this.client.query(statement)
      return statement.done
    }
    const isPreparable = values?.length || SINGLE_QUERY.test(text)
    if (typeof statement === 'string' || !isPreparable || !this.prepared)
      return this.client.query(statement, values)
    return this.client.query(this.prepared.named(this.client, statement), values)
  }

  private beginning(begin: string, budget: Budget): string {
    const { ofTransaction } = this.options
    return ofTransaction ? `${limited(begin, budget)}; ${ofTransaction}` : limited(begin, budget)
  }

  /**
   * A transaction in which a statement failed commits nothing, and PostgreSQL calls that no error.
   */
  private requireCommitted(result: unknown): void {
    if ((result as { command?: string }).command !== 'ROLLBACK') return
    throw this.failure ?? new Error('The transaction was rolled back instead of committed')
  }

  private recordFailure(error: unknown): unknown {
    if (this.lost) return this.lost
    const known = asLost(error)
    if (isConnectionLost(known)) {
      this.lost = known
      this.releaseRaw(true)
    } else this.failure = known
    return known
  }

  /** Stops the running statement; releases the connection when it has ended, or closes it. */
  private abandon(reason: AppError): void {
    if (this.lost) return
    this.lost = reason
    let isDone = false
    const finish = (destroy: boolean) => {
      if (!isDone) this.releaseRaw(destroy)
      isDone = true
    }
    const timer = setTimeout(() => finish(true), this.options.cancelGraceMs)
    this.stopRunning()
      .then(() => finish(false))
      .catch(() => finish(true))
      .finally(() => clearTimeout(timer))
  }

  private async stopRunning(): Promise<void> {
    await this.options.cancel(this.client)
    await this.running?.catch(() => {})
    // Ends an open transaction. A late cancellation may hit this statement, which then fails.
    await this.client.query('rollback')
  }
}

/** Without values, a text may consist of several statements, which can't be prepared. */
const SINGLE_QUERY = /^\s*select\b[^;]*$/i

export function recordTime(
  spent: NonNullable<Budget['spent']>,
  text: string,
  startedAt: number,
): void {
  spent.dbMs += performance.now() - startedAt
  if (!spent.trace) return
  // The first word alone: texts may hold constants of definitions.
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': word }
  spent.trace.part(`db ${word}`, startedAt, attributes)
}

/** Ends of transactions, which are always sent. */
const CHANGED = 'A table changed during the request; send the request again'
const IN_FAILED_TRANSACTION = '25P02'
const ENDS = new Set(['commit', 'rollback'])
const END = { deadline: Infinity, signal: undefined, client: undefined }
export const BEGIN = /^begin\b/
/** The client's own deadline comes first, with a better message. */
const NET_MS = 1_000

/** A transaction's statements end at the server too, should their cancellation get lost. */
function limited(begin: string, { deadline }: Budget): string {
  if (deadline === Infinity) return begin
  const ms = Math.ceil(deadline - performance.now()) + NET_MS
  return `${begin}; set local statement_timeout = ${ms}`
}
