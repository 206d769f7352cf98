import { withBudget } from '@/lib/db/budget'
import { beginTrace, type Trace } from '@/lib/tracing/tracing'
import type { RouteSpec } from './route-spec'

type Phase = 'auth' | 'parse'

/**
 * Measures one request, once for its `Server-Timing` header (W3C Server Timing), in milliseconds, and its trace.
 */
export class Timing {
  private readonly startedAt = performance.now()
  private readonly phases = new Map<Phase, number>()
  private readonly spent: { dbMs: number; trace: Trace | null }
  private readonly trace: Trace | null

  constructor(trace: Trace | null = null) {
    this.trace = trace
    this.spent = { dbMs: 0, trace }
  }

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
      this.trace?.part(name, startedAt)
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

  /** Ends the trace with the status of the response. */
  end(status: number): void {
    this.trace?.end({ 'http.response.status_code': status }, status >= 500)
  }
}

/** The timing of a request, with a trace that continues the caller's where spans are exported. */
export function timingOf({ method, headers }: Request, { doc }: Pick<RouteSpec, 'doc'>): Timing {
  const operation = 'id' in doc ? doc.id : 'undocumented'
  const attributes = { 'http.request.method': method, 'engine.operation': operation }
  const traceparent = headers.get('traceparent')
  return new Timing(beginTrace(`${method} ${operation}`, { traceparent, attributes }))
}
