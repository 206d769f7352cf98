import { setImmediate as inputRead } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Budget } from './budget'

/** Checks on a connection of its own whether the server responds; rejects when it does not. */
export type Probe = (timeoutMs: number) => Promise<void>

type Waiting = { since: number; waitLimitMs: number; abandon: (reason: AppError) => void }

const TICK_MS = 500
/** After a statement has waited this long, the server is probed. */
const PROBE_AFTER_MS = 1_500
const PROBE_TIMEOUT_MS = 1_500

/**
 * Detects a server that does not respond: frozen, or behind a network that drops all packets.
 * Neither closes a connection, and a cancellation would not arrive. While statements wait without
 * any data, the server is probed; when the probe fails too, statements whose time limit is over are
 * abandoned and new ones are refused until a probe succeeds.
 */
export class ServerWatch {
  private readonly waiting = new Set<Waiting>()
  private heardAt = performance.now()
  private isSilent = false
  private isProbing = false
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly probe: Probe) {}

  /** Throws while the server does not respond. */
  requireLife({ waitLimitMs }: Budget): void {
    if (this.isSilent && performance.now() - this.heardAt >= waitLimitMs) throw silent()
  }

  /** The server has responded, to whatever. */
  heard(): void {
    if (!this.isSilent) this.heardAt = performance.now()
  }

  /** Waits for `pending`; calls `abandon` and rejects when the server does not respond. */
  async wait<T>(
    pending: Promise<T>,
    { waitLimitMs }: Budget,
    abandon: (reason: AppError) => void,
  ): Promise<T> {
    this.start()
    return new Promise<T>((resolve, reject) => {
      const entry: Waiting = {
        since: performance.now(),
        waitLimitMs: waitLimitMs,
        abandon: (reason) => {
          abandon(reason)
          reject(reason)
        },
      }
      this.waiting.add(entry)
      const responded = () => {
        this.waiting.delete(entry)
        this.heard()
      }
      pending.then(resolve, reject).finally(responded)
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
      // Data may have arrived meanwhile on another connection.
      if (this.heardAt === before) this.isSilent = true
    } finally {
      this.isProbing = false
    }
    if (this.isSilent) this.abandonLate(performance.now())
  }

  private abandonLate(now: number): void {
    for (const entry of [...this.waiting]) {
      if (now - Math.max(this.heardAt, entry.since) < entry.waitLimitMs) continue
      this.waiting.delete(entry)
      entry.abandon(silent())
    }
  }
}

const silent = () =>
  new AppError('unavailable', 'The database does not respond; try again in a moment', {
    retryAfter: 5,
  })
