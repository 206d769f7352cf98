import 'server-only'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Sent to the worker that is to deliver mails and run background jobs. */
export const START_WORK = 'engine: start work'

/** A worker that ends by itself is replaced after this, doubled each time up to the maximum. */
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 10_000
/** After this without an end, the next one is replaced quickly again. */
const CALM_MS = 60_000

/**
 * The processes that serve, all on one port. One of them does the background work, and another one
 * after its end. One that ends by itself is replaced.
 */
export class Workers {
  private readonly serving = new Set<Worker>()
  private readonly retiring = new Set<Worker>()
  private atWork: Worker | null = null
  private stopping = false
  private ends = 0
  private restarts: Promise<void> = Promise.resolve()
  private calm: NodeJS.Timeout | undefined

  constructor(private readonly env: Record<string, string>) {}

  /** Throws when a worker can't start. The first one brings the database up to date. */
  async start(count: number): Promise<void> {
    await this.add()
    await Promise.all(Array.from({ length: count - 1 }, () => this.add()))
  }

  /**
   * Replaces all workers, one after another, without a request that fails: an old one ends when a
   * new one serves. When one can't start, the remaining old ones stay.
   */
  restart(): Promise<void> {
    this.restarts = this.restarts.then(() => this.replaceAll())
    return this.restarts
  }

  /** Lets all workers finish their requests; returns the exit code for the process. */
  async stop(): Promise<number> {
    this.stopping = true
    const codes = await Promise.all(
      Object.values(cluster.workers ?? {}).map((one) => this.end(one as Worker)),
    )
    return codes.every((code) => code === 0) ? 0 : 1
  }

  private add(): Promise<Worker> {
    const worker = cluster.fork(this.env)
    return new Promise((resolve, reject) => {
      worker.once('listening', () => {
        this.serving.add(worker)
        this.assignWork()
        resolve(worker)
      })
      worker.once('exit', (code, signal) => {
        reject(new Error(`A worker ended with ${signal ?? code}`)) // without effect after `resolve`
        this.lose(worker, String(signal ?? code))
      })
    })
  }

  private lose(worker: Worker, reason: string): void {
    const served = this.serving.delete(worker)
    if (this.atWork === worker) this.atWork = null
    this.assignWork()
    if (!served || this.stopping || this.retiring.delete(worker)) return
    process.stderr.write(`A worker ended with ${reason} and is replaced\n`)
    void this.replace()
  }

  private async replace(): Promise<void> {
    clearTimeout(this.calm)
    this.calm = setTimeout(() => {
      this.ends = 0
    }, CALM_MS).unref()
    for (;;) {
      await delay(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.ends++))
      if (this.stopping) return
      const added = await this.add().catch(() => null)
      if (added) return
    }
  }

  private async replaceAll(): Promise<void> {
    for (const old of [...this.serving]) {
      if (this.stopping) return
      try {
        await this.add()
      } catch (error) {
        process.stderr.write(`The restart was given up: ${String(error)}\n`)
        return
      }
      await giveNoMore(old)
      await this.end(old)
    }
  }

  /** Resolves to the exit code. */
  private end(worker: Worker): Promise<number | null> {
    this.retiring.add(worker)
    if (this.atWork === worker) this.atWork = null
    this.assignWork()
    const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve))
    worker.process.kill('SIGTERM')
    return ended
  }

  private assignWork(): void {
    if (this.atWork || this.stopping) return
    this.atWork = [...this.serving].find((one) => !this.retiring.has(one)) ?? null
    this.atWork?.send(START_WORK)
  }
}

/** A worker that ended before it took a connection that is on its way would lose it. */
async function giveNoMore(worker: Worker): Promise<void> {
  if (!worker.isConnected()) return
  const disconnected = once(worker, 'disconnect')
  worker.disconnect()
  await disconnected
}
