import { withBudget } from '@/lib/db/budget'

type Phase = 'auth' | 'parse'

/** Measures one request for its `Server-Timing` header (W3C Server Timing), in milliseconds. */
export class Timing {
  private readonly startedAt = performance.now()
  private readonly phases = new Map<Phase, number>()
  private readonly spent = { dbMs: 0 }

  /** Runs `work`, whose statements count as `db`. */
  measure<T>(work: () => Promise<T>): Promise<T> {
    return withBudget({ spent: this.spent }, work)
  }

  async phase<T>(name: Phase, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      this.phases.set(name, performance.now() - startedAt)
    }
  }

  /**
   * `total` only on public routes: the time of a lookup would reveal to unknown callers whether it
   * found something.
   */
  header(isPublic: boolean): string {
    const total = ['total', performance.now() - this.startedAt] as const
    const shown = isPublic ? [total] : [...this.phases, ['db', this.spent.dbMs] as const, total]
    return shown.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
  }
}
