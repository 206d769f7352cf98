import { callerAddress } from '@/lib/auth/request-origin'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { metrics } from '@/lib/metrics/metrics'
import { hasLeft } from '@/lib/values/received'
import { routeOf } from '@/lib/values/route-pattern'
import type { Failure } from './errors'

/** A request, and who makes it once that is known. */
export type Call = {
  request: Request
  params: Promise<unknown>
  requestId: string
  startedAt: number
  actor?: Actor | null
}
type Logging = Pick<Deps, 'log' | 'settings'>

/** Asked every few seconds by those who watch the server: their lines are for finding faults alone. */
const PROBES = new Set(['/api/health', '/api/health/ready', '/api/metrics'])

export async function logResponse(deps: Logging, call: Call, status: number): Promise<void> {
  if (deps.settings.LOG_REQUESTS !== 'all') return
  const route = routeOf(call.request, call.params)
  const line = lineOf(deps, call, typeof route === 'string' ? route : await route, status)
  if (PROBES.has(line.route)) deps.log.debug(line, 'request')
  else deps.log.info(line, 'request')
}

export async function logFailure(
  deps: Logging,
  call: Call,
  { status, error, unexpected }: Failure,
): Promise<void> {
  const { cause } = error.options
  const route = await routeOf(call.request, call.params)
  if (hasLeft(call.request)) {
    metrics().stopped.inc({ reason: 'client left' })
    logRefusal(deps, lineOf(deps, call, route, CLIENT_LEFT), 'client left')
    return
  }
  const line = {
    ...lineOf(deps, call, route, status),
    ...(!unexpected && reasonOf(status, error)),
  }
  // A refusal without a cause is a decision of the server, such as load shedding, not a failure.
  if (unexpected || (status >= 502 && cause !== undefined))
    deps.log.error({ ...line, cause: describeCause(cause) }, 'request failed')
  else logRefusal(deps, line, 'request refused')
}

/** As other servers log it. */
const CLIENT_LEFT = 499

function logRefusal({ log, settings }: Logging, line: object, message: string): void {
  if (settings.LOG_REQUESTS !== 'off') log.info(line, message)
}

/** Messages about the input repeat values of it; those about the server don't. */
const reasonOf = (status: number, { code, message }: Failure['error']) =>
  status < 500 ? { code } : { code, error: message }

// The pattern alone: paths hold keys of records, queries filters with personal data, or a token.
const lineOf = ({ settings }: Logging, call: Call, route: string, status: number) => ({
  requestId: call.requestId,
  method: call.request.method,
  route,
  status,
  ms: Math.round(performance.now() - call.startedAt),
  address: callerAddress(call.request.headers, settings.TRUST_PROXY) ?? undefined,
  ...callerOf(call.actor),
})

/** Never names, which are emails. A guest has no id. */
function callerOf(actor: Actor | null | undefined): { user?: string; key?: string } {
  if (!actor || actor.type === 'anonymous') return {}
  const user = actor.userId ?? undefined
  return actor.type === 'api_key' ? { key: actor.id, user } : { user }
}

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
