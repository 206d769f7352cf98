import type { Log } from '@/lib/log'
import { metrics } from '@/lib/metrics/metrics'
import { hasLeft, pathOf } from '@/lib/values/received'
import type { Failure } from './errors'

type Outcome = { request: Request; requestId: string; startedAt: number }

export function logResponse(log: Log, outcome: Outcome, status: number): void {
  log.info({ ...lineOf(outcome), status }, 'request')
}

export function logFailure(
  log: Log,
  outcome: Outcome,
  { status, error, unexpected }: Failure,
): void {
  if (hasLeft(outcome.request)) {
    metrics().stopped.inc({ reason: 'client left' })
    log.info({ ...lineOf(outcome), status: 499 }, 'client left')
    return
  }
  const line = { ...lineOf(outcome), status, error: unexpected ? undefined : error.message }
  const { cause } = error.options
  // A refusal without a cause is a decision of the server, such as load shedding, not a failure.
  if (unexpected || (status >= 502 && cause !== undefined))
    log.error({ ...line, cause: describeCause(cause) }, 'request failed')
  else log.info(line, 'request refused')
}

// The path alone: a query string may carry a filter with personal data, or a token.
const lineOf = ({ request, requestId, startedAt }: Outcome) => ({
  requestId,
  method: request.method,
  path: pathOf(request),
  ms: Math.round(performance.now() - startedAt),
})

// Without the parameters of a failed statement: they contain personal data.
function describeCause(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : { thrown: typeof cause }
  const inner = cause.cause instanceof Error ? cause.cause : cause
  return {
    name: inner.name,
    code: (inner as { code?: unknown }).code,
    message: inner.message.slice(0, 500),
    stack: inner.stack
      ?.split('\n')
      .slice(1, 8)
      .map((line) => line.trim()),
  }
}
