import { AppError } from '@/lib/errors'
import { type Budget, giveUpInTime } from './budget'
import { asLost, isConnectionLost, isStalePlan } from './errors'
import { GuardedClient, type RawClient, recordTime } from './guarded-client'
import type { GuardOptions } from './guarded-pool'
import { beginWait, MOMENT_MS } from './long-waits'
import type { PreparedStatements } from './prepared-statements'
import { TextRead, type TextRow } from './text-read'

type Kept = { text: string }
export type TextValues = readonly (string | null)[]

type Asked = {
  values: TextValues
  budget: Budget
  since: number
  /** Null: to be sent as any other statement. */
  resolve: (rows: TextRow[] | null) => void
  reject: (reason: unknown) => void
}

/** What is sent at once on one connection runs one after another. */
const MAX_TOGETHER = 16
/** The same of statements that may take long: fewer than PostgreSQL plans for their values before it plans them once. */
const MAX_LONG_TOGETHER = 4
/** After some took long, others like them are sent alone for this time. */
const ALONE_MS = 5_000

/**
 * Reads of kept statements, which have no limits of their own until they have run for a moment: most never do. Those of one
 * statement that come in the same turn of the event loop are sent at once; where such a statement may take long and does, each is
 * sent again, alone.
 */
export class QuickReads {
  private readonly asked = new Map<Kept, Asked[]>()
  private readonly aloneUntil = new WeakMap<Kept, number>()

  /** `take` returns a connection that is ready, or null. */
  constructor(
    private readonly prepared: PreparedStatements,
    private readonly options: GuardOptions,
    private readonly take: () => RawClient | null,
  ) {}

  /** The rows; null when the statement has to be sent as any other. Throws as `GuardedClient.query`. */
  read(statement: Kept, values: TextValues, budget: Budget): Promise<TextRow[] | null> {
    return new Promise((resolve, reject) => {
      const one = { values, budget, since: performance.now(), resolve, reject }
      const others = this.asked.get(statement)
      if (others) others.push(one)
      else this.asked.set(statement, [one])
      if (this.asked.size === 1 && !others) setImmediate(this.sendAll)
    })
  }

  private readonly sendAll = (): void => {
    for (const [statement, asked] of this.asked) {
      const most = this.mostTogether(statement)
      for (let at = 0; at < asked.length; at += most)
        this.send(statement, asked.slice(at, at + most))
    }
    this.asked.clear()
  }

  private mostTogether(statement: Kept): number {
    if (!this.prepared.mayTakeLong(statement)) return MAX_TOGETHER
    return performance.now() < (this.aloneUntil.get(statement) ?? 0) ? 1 : MAX_LONG_TOGETHER
  }

  private send(statement: Kept, asked: Asked[]): void {
    const client = this.take()
    if (!client) {
      for (const { resolve } of asked) resolve(null)
      return
    }
    const guarded = new GuardedClient(client, this.options, this.prepared)
    let settled = () => {}
    const done = (error: unknown, results: TextRow[][]) => {
      wait.end()
      settled()
      if (error === null) this.respond(statement, asked, results)
      else this.recover(statement, asked, asLost(error))
      guarded.releaseAfter(error)
    }
    const isLong = () => {
      const sent = new Promise<void>((resolve) => {
        settled = resolve
      })
      if (asked.length === 1 || !this.prepared.mayTakeLong(statement)) limit(guarded, asked, sent)
      else this.sendAgain(guarded, statement, asked, sent)
    }
    const wait = beginWait(isLong)
    const name = this.prepared.nameFor(client, statement)
    const all = asked.map(({ values }) => values)
    void client.query(new TextRead(name, statement.text, all, done) as unknown as Kept)
    const soon = performance.now() + 2 * MOMENT_MS
    if (!asked.some(({ budget }) => budget.deadline < soon)) return
    wait.end()
    isLong()
  }

  /** Which of them takes long is not known: the server keeps results until all are done. */
  private sendAgain(
    guarded: GuardedClient,
    statement: Kept,
    asked: Asked[],
    sent: Promise<void>,
  ): void {
    this.aloneUntil.set(statement, performance.now() + ALONE_MS)
    for (const { resolve } of asked) resolve(null)
    const stop = new AbortController()
    const [{ budget }] = asked as [Asked]
    const own = { deadline: Infinity, signal: stop.signal, client: undefined }
    guarded.follow(sent, { ...budget, ...own }).catch(() => {})
    stop.abort(new AppError('unavailable', 'The statements are sent again'))
  }

  private respond({ text }: Kept, asked: Asked[], results: TextRow[][]): void {
    this.options.watch?.heard()
    for (const [at, { budget, since, resolve }] of asked.entries()) {
      if (budget.spent) recordTime(budget.spent, text, since)
      resolve(results[at] ?? [])
    }
  }

  /** What failed together may have failed because of one: each is sent alone. */
  private recover(statement: Kept, asked: Asked[], error: unknown): void {
    const isStale = isStalePlan(error)
    if (isStale) this.prepared.forgetKept(statement)
    const isRepeated = isStale || isConnectionLost(error) || asked.length > 1
    for (const { resolve, reject } of asked) isRepeated ? resolve(null) : reject(error)
  }
}

/** Each gives up when its own time is over or its client has left, and the statements are stopped when all have. */
function limit(guarded: GuardedClient, asked: Asked[], sent: Promise<void>): void {
  const stop = new AbortController()
  let waiting = asked.length
  for (const { budget, reject } of asked) {
    const giveUp = (reason: AppError) => {
      reject(reason)
      waiting--
      if (waiting === 0) stop.abort(reason)
    }
    giveUpInTime(sent, budget, giveUp).catch(reject)
  }
  const [first] = asked
  if (!first) return
  const own = { deadline: Infinity, signal: stop.signal, client: undefined }
  const budget = { ...first.budget, ...own }
  guarded.follow(sent, budget).catch((reason) => {
    for (const { reject } of asked) reject(reason)
  })
}
