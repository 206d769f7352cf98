import type { Pool, PoolClient } from 'pg'
import type { RawPool } from './guarded-pool'

type Spare = { client: PoolClient; giveBack: PoolClient['release']; wasSeen: boolean }

/** A connection that nobody used for one to two of these goes back to the pool, which closes it later. */
const LOOK_MS = 1_000

/**
 * The connections of a pool, of which those that were just used are lent again at once: the pool makes a turn of the event
 * loop and a timer of each use. They go back as soon as somebody waits for one.
 */
export class SpareConnections implements RawPool<PoolClient> {
  /** The last one was used last. */
  private readonly spare: Spare[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly pool: Pool) {}

  get waitingCount(): number {
    return this.pool.waitingCount
  }

  /** A connection that is ready; null when there is none. */
  take(): PoolClient | null {
    for (let last = this.spare.pop(); last; last = this.spare.pop()) {
      if (isUsable(last.client)) return this.lend(last.client, last.giveBack)
      last.giveBack(true)
    }
    return null
  }

  async connect(): Promise<PoolClient> {
    const ready = this.take()
    if (ready) return ready
    const client = await this.pool.connect()
    return this.lend(client, client.release)
  }

  /** Resolves when all connections have come back and are closed. */
  end(): Promise<void> {
    const ended = this.pool.end()
    this.giveBack(() => true)
    return ended
  }

  /** Each time with a `release` of its own, which counts once: the next user's must not be released by it. */
  private lend(client: PoolClient, giveBack: PoolClient['release']): PoolClient {
    let isReleased = false
    client.release = (destroy) => {
      if (isReleased) return
      isReleased = true
      const isWanted = this.pool.ending || this.pool.waitingCount > 0
      if (destroy || isWanted || !isUsable(client)) giveBack(destroy)
      else this.keep({ client, giveBack, wasSeen: false })
    }
    return client
  }

  private keep(spare: Spare): void {
    this.spare.push(spare)
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref()
  }

  private look(): void {
    this.giveBack(({ wasSeen }) => wasSeen)
    for (const spare of this.spare) spare.wasSeen = true
    if (this.spare.length > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private giveBack(isOver: (spare: Spare) => boolean): void {
    const all = this.spare.splice(0)
    this.spare.push(...all.filter((spare) => !isOver(spare)))
    for (const spare of all) if (isOver(spare)) spare.giveBack()
  }
}

/** As the pool itself asks its clients. */
function isUsable(client: PoolClient): boolean {
  const { _queryable, _ending } = client as unknown as { _queryable: boolean; _ending: boolean }
  return _queryable && !_ending
}
