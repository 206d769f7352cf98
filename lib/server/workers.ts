import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'

/** Sent to the worker that is to deliver mails and run background jobs. */
export const START_WORK = 'engine: start work'
/** Sent to a worker that another one has replaced: it ends by itself when its requests have ended. */
export const RETIRE = 'engine: retire'

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
  /** All whose processes live: `cluster.workers` leaves out those that get no more connections. */
  private readonly living = new Set<Worker>()
  private readonly serving = new Set<Worker>()
  private readonly retiring = new Set<Worker>()
  private atWork: Worker | null = null
  private stopping = false
  private ends = 0
  private restarts: Promise<void> = Promise.resolve()
  private calm: NodeJS.Timeout | undefined

  constructor(private readonly env: Record<string, string>) {}

  /** Throws when a worker can't start. The first one brings the database up to date. */
  start(count: number): Promise<void> {
    const started = this.addAll(count)
    this.restarts = started.catch(() => {}) // one that is asked for meanwhile follows
    return started
  }

  private async addAll(count: number): Promise<void> {
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
    const codes = await Promise.all([...this.living].map((one) => this.end(one)))
    return codes.every((code) => code === 0) ? 0 : 1
  }

  private add(): Promise<Worker> {
    const worker = cluster.fork(this.env)
    this.living.add(worker)
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
    this.living.delete(worker)
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
        if (this.stopping) return
        process.stderr.write(`The restart was given up: ${String(error)}\n`)
        return
      }
      await this.retire(old)
    }
  }

  /** Gives it no more connections; those that are on their way to it, it takes. */
  private async retire(worker: Worker): Promise<void> {
    const ended = this.replaced(worker)
    if (worker.isConnected()) {
      worker.send(RETIRE)
      worker.disconnect()
    }
    await ended
  }

  /** Resolves to the exit code. */
  private end(worker: Worker): Promise<number | null> {
    const ended = this.replaced(worker)
    worker.process.kill('SIGTERM')
    return ended
  }

  /** Has another one do its work. Resolves to its exit code, at its end. */
  private replaced(worker: Worker): Promise<number | null> {
    if (!this.living.has(worker)) return Promise.resolve(worker.process.exitCode)
    this.retiring.add(worker)
    if (this.atWork === worker) this.atWork = null
    this.assignWork()
    return new Promise((resolve) => worker.once('exit', resolve))
  }

  private assignWork(): void {
    if (this.atWork || this.stopping) return
    this.atWork = [...this.serving].find((one) => !this.retiring.has(one)) ?? null
    this.atWork?.send(START_WORK)
  }
}
