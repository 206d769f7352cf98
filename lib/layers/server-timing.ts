import type { Layer, Points } from '@/lib/around'
import { currentBudget, withBudget } from '@/lib/db/budget'
import { beginTrace, type Trace } from '@/lib/tracing/tracing'
import { hasLeft } from '@/lib/values/received'
import { whenSettled } from '@/lib/values/when-settled'

/** Says in the header `Server-Timing` (W3C) how long a request took and in what, and traces it where spans are exported. */
export const serverTiming: Layer = {
  name: 'server-timing',
  around: {
    async request(deps, { request, spec }, next) {
      const timing = timingOf(request, spec)
      // Statements add their time to it.
      const response = await withBudget({ spent: timing }, () => next(deps))
      response.headers.set('Server-Timing', timing.header(spec.access === 'public'))
      timing.end(hasLeft(request) ? CLIENT_LEFT : response.status)
      return response
    },
    phase(deps, name, next) {
      const { spent } = currentBudget()
      return spent instanceof Timing ? spent.phase(name, () => next(deps)) : next(deps)
    },
  },
}

/** The status in traces of a request whose client has left, as in other servers. */
const CLIENT_LEFT = 499

type Phase = Points['phase']['input']

/** Of one request, once for its header, in milliseconds, and once for its trace. */
class Timing {
  /** Of the statements, together. */
  dbMs = 0
  private readonly startedAt = performance.now()
  private readonly phases = new Map<Phase, number>()

  constructor(readonly trace: Trace | null) {}

  phase<T>(name: Phase, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    return whenSettled(work, () => {
      this.phases.set(name, performance.now() - startedAt)
      this.trace?.part(name, startedAt)
    })
  }

  /**
   * `total` only on public routes: the time of a lookup would reveal to unknown callers whether it
   * found something.
   */
  header(isPublic: boolean): string {
    const total = ['total', performance.now() - this.startedAt] as const
    const shown = isPublic ? [total] : [...this.phases, ['db', this.dbMs] as const, total]
    return shown.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
  }

  /** Ends the trace with the status of the response. */
  end(status: number): void {
    this.trace?.end({ 'http.response.status_code': status }, status >= 500)
  }
}

/** The timing of a request, with a trace that continues the caller's where spans are exported. */
function timingOf(
  { method, headers }: Request,
  { doc }: Points['request']['input']['spec'],
): Timing {
  const operation = 'id' in doc ? doc.id : 'undocumented'
  const attributes = { 'http.request.method': method, 'engine.operation': operation }
  const traceparent = headers.get('traceparent')
  return new Timing(beginTrace(`${method} ${operation}`, { traceparent, attributes }))
}
