import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Budget } from './budget'

/** Asks the server for a sign of life on a connection of its own; rejects when there is none. */
export type Probe = (timeoutMs: number) => Promise<void>

type Waiting = { since: number; patienceMs: number; abandon: (reason: AppError) => void }

const TICK_MS = 500
/** A statement may take its time; after this it is asked whether the server is there at all. */
const PROBE_AFTER_MS = 1_500
const PROBE_TIMEOUT_MS = 1_500

/**
 * Notices a server that has stopped answering: frozen, or behind a network that swallows everything.
 * Neither closes a connection, and no cancellation would be heard. While statements wait and nothing
 * is heard, the server is probed; when the probe is not answered either, statements whose patience
 * has run out are abandoned and new ones are refused until a probe is answered.
 */
export class ServerWatch {
  private readonly waiting = new Set<Waiting>()
  private heardAt = performance.now()
  private isSilent = false
  private isProbing = false
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly probe: Probe) {}

  /** Throws while the server does not answer. */
  requireLife({ patienceMs }: Budget): void {
    if (this.isSilent && performance.now() - this.heardAt >= patienceMs) throw silent()
  }

  /** Waits for `pending`, which the server is to answer; calls `abandon` and rejects when it is silent. */
  async wait<T>(
    pending: Promise<T>,
    { patienceMs }: Budget,
    abandon: (reason: AppError) => void,
  ): Promise<T> {
    this.start()
    return new Promise<T>((resolve, reject) => {
      const entry: Waiting = {
        since: performance.now(),
        patienceMs,
        abandon: (reason) => {
          abandon(reason)
          reject(reason)
        },
      }
      this.waiting.add(entry)
      const answered = () => {
        this.waiting.delete(entry)
        if (!this.isSilent) this.heardAt = performance.now()
      }
      pending.then(resolve, reject).finally(answered)
    })
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private start(): void {
    if (this.timer) return
    this.timer = setInterval(() => this.look(), TICK_MS)
    this.timer.unref()
  }

  private look(): void {
    if (this.waiting.size === 0 && !this.isSilent) {
      this.stop()
      return
    }
    const now = performance.now()
    if (this.isSilent) this.abandonLate(now)
    const oldest = Math.min(...[...this.waiting].map(({ since }) => since))
    const quietSince = Math.max(this.heardAt, oldest)
    if (this.isSilent || now - quietSince >= PROBE_AFTER_MS) void this.ask()
  }

  private async ask(): Promise<void> {
    if (this.isProbing) return
    this.isProbing = true
    const before = this.heardAt
    try {
      await this.probe(PROBE_TIMEOUT_MS)
      this.heardAt = performance.now()
      this.isSilent = false
    } catch {
      await inputRead()
      // Something may have come in meanwhile, on another connection.
      if (this.heardAt === before) this.isSilent = true
    } finally {
      this.isProbing = false
    }
    if (this.isSilent) this.abandonLate(performance.now())
  }

  private abandonLate(now: number): void {
    for (const entry of [...this.waiting]) {
      if (now - Math.max(this.heardAt, entry.since) < entry.patienceMs) continue
      this.waiting.delete(entry)
      entry.abandon(silent())
    }
  }
}

const silent = () =>
  new AppError('unavailable', 'The database does not answer; try again in a moment', {
    retryAfter: 5,
  })
