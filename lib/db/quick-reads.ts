import type { Budget } from './budget'
import { asLost, isConnectionLost, isStalePlan } from './errors'
import { GuardedClient, type RawClient, recordTime } from './guarded-client'
import type { GuardOptions } from './guarded-pool'
import { beginWait, MOMENT_MS } from './long-waits'
import type { PreparedStatements } from './prepared-statements'
import { TextRead, type TextRow } from './text-read'

type Kept = { text: string }

/** Reads of prepared statements that have no limits of their own until they have run for a moment: most never do. */
export class QuickReads {
  constructor(
    private readonly prepared: PreparedStatements,
    private readonly options: GuardOptions,
  ) {}

  /**
   * The rows; null when the statement has to be sent again, on another connection or under another name. Throws as
   * `GuardedClient.query`. Releases the connection.
   */
  async read(
    client: RawClient,
    statement: Kept,
    values: (string | null)[],
    budget: Budget,
  ): Promise<TextRow[] | null> {
    const startedAt = performance.now()
    try {
      const rows = await this.send(client, statement, values, budget)
      this.options.watch?.heard()
      client.release(this.prepared.isFull(client) || undefined)
      return rows
    } catch (thrown) {
      const error = asLost(thrown)
      // One that had to be abandoned is released when it has ended.
      if (!(error instanceof Abandoned)) client.release(isConnectionLost(error) || undefined)
      if (isStalePlan(error)) this.prepared.forgetKept(statement)
      else if (error instanceof Abandoned) throw error.reason
      else if (!isConnectionLost(error)) throw error
      return null
    } finally {
      if (budget.spent) recordTime(budget.spent, statement.text, startedAt)
    }
  }

  private send(client: RawClient, statement: Kept, values: (string | null)[], budget: Budget) {
    return new Promise<TextRow[]>((resolve, reject) => {
      const settled: (() => void)[] = []
      const name = this.prepared.nameFor(client, statement)
      const read = new TextRead(name, statement.text, values, (error, rows) => {
        wait.end()
        if (error === null) resolve(rows)
        else reject(error)
        for (const settle of settled) settle()
      })
      const limit = () => {
        const sent = new Promise<void>((ended) => settled.push(ended))
        const guarded = new GuardedClient(client, this.options, this.prepared)
        guarded.follow(sent, budget).catch((reason) => reject(new Abandoned(reason)))
      }
      const wait = beginWait(limit)
      void client.query(read as unknown as { text: string })
      if (budget.deadline - performance.now() < 2 * MOMENT_MS) {
        wait.end()
        limit()
      }
    })
  }
}

/** Its time was over, its client left, or the server does not respond. */
class Abandoned extends Error {
  constructor(readonly reason: unknown) {
    super()
  }
}
