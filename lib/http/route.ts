import type { Deps } from '@/lib/deps'
import 'server-only'
import type { z } from 'zod'
import { isOfOtherTables } from '@/lib/db/errors'
import { besideLocks } from '@/lib/load/locked-entities'
import { observeRequest } from '@/lib/metrics/observe-request'
import { forgetRegistry } from '@/lib/registry/registry'
import { getDeps } from '@/lib/runtime'
import { admit, isReading, withinReadTime, withinTime, withinWaits } from './admission'
import { authorise } from './authorise'
import { seeingOwnChanges, withPosition } from './consistency'
import { envelope, type Reply } from './envelope'
import { errorResponse, toFailure } from './errors'
import { invalidInput } from './invalid-input'
import { logFailure, logResponse } from './log-request'
import type { Handler } from './methods'
import { type RequestInput, readInput } from './read-input'
import { respondIdempotently } from './respond-idempotently'
import type { Access, ActorFor, RouteSpec, Spec } from './route-spec'
import { type Timing, timingOf } from './server-timing'

/**
 * Creates a handler: checks the caller, then reads params, query and body (all their errors are in
 * one response), runs `handle` and returns its reply in the envelope, or an error response for what
 * it threw. Independent of Next.js, so that any server of `Request`s can call it. Has its `spec`.
 */
export function route<const A extends Access<P>, P = unknown, Q = unknown, B = unknown>(
  spec: Spec<A, P, Q, B>,
): Handler {
  const handler: Handler = async (request, context) => {
    const requestId = crypto.randomUUID()
    const startedAt = performance.now()
    const timing = timingOf(request, spec)
    const response = await respond(spec, { request, context, requestId, timing })
    response.headers.set('X-Request-Id', requestId)
    response.headers.set('Server-Timing', timing.header(spec.access === 'public'))
    const status = request.signal.aborted ? CLIENT_LEFT : response.status
    timing.end(status)
    await observeRequest(request, context.params, status, startedAt)
    return response
  }
  return Object.assign(handler, { spec })
}

async function respond<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  call: Call,
): Promise<Response> {
  const { request, requestId, timing } = call
  const outcome = { request, requestId, startedAt: performance.now() }
  let deps: Deps | undefined
  try {
    deps = await getDeps()
    const found = deps
    const response = await withinWaits(deps, () =>
      timing.measure(() => serve(spec, { ...call, deps: found })),
    )
    logResponse(deps.log, outcome, response.status)
    return response
  } catch (thrown) {
    const failure = toFailure(thrown, requestId)
    if (deps) logFailure(deps.log, outcome, failure)
    return (spec.formatError ?? errorResponse)(failure)
  }
}

type Call = {
  request: Request
  context: { params: Promise<unknown> }
  requestId: string
  timing: Timing
}

async function serve<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  { request, context, requestId, timing, deps }: Call & { deps: Deps },
): Promise<Response> {
  let input: RequestInput<P, Q, B> | undefined
  try {
    const { settings } = deps
    admit(spec, request, settings)
    const params = await checkParams(spec.params, context)
    // Before a byte of the body is read.
    const caller = await timing.phase('auth', () =>
      withinReadTime(request, settings, () =>
        authorise(spec.access, () => unwrap(params), request, deps),
      ),
    )
    input = await timing.phase('parse', () => readInput(spec, params, request, deps))
    const { content, ...said } = input
    const given = { request, requestId, deps, actor: caller as ActorFor<A>, ...said }
    const handle = () => seeingOwnChanges(request, deps, () => spec.handle(given))
    const work = async () =>
      toResponse(await within(spec, { request, deps, params: said.params }, handle))
    if (isReading(spec, request)) return await work()
    const response = await respondIdempotently(deps, request, caller, content, work)
    return await withPosition(response, deps, caller)
  } finally {
    await input?.upload?.dispose()
  }
}

/**
 * Runs `work` within its time limit and, for records of an entity, with `besideLocks`; again when its table
 * or a column is gone or of another type, which another instance may have changed: the second time, its definition is read anew.
 */
function within<T>(
  spec: RouteSpec,
  { request, deps, params }: { request: Request; deps: Deps; params: unknown },
  work: () => Promise<T>,
): Promise<T> {
  const timed = () => withinTime(spec, request, deps.settings, work)
  const entity = (params as { entityName?: string } | null)?.entityName
  if (entity === undefined) return timed()
  const isRead = isReading(spec, request)
  return besideLocks(deps.db, { entity, isRead }, () =>
    timed().catch((error) => {
      if (!isOfOtherTables(error)) throw error
      forgetRegistry(deps)
      return timed()
    }),
  )
}

/** The status in logs and metrics of a request whose client has left, as in other servers. */
const CLIENT_LEFT = 499

const toResponse = (reply: Reply | Response) =>
  reply instanceof Response ? reply : envelope(reply)

async function checkParams<P>(
  schema: z.ZodType<P> | undefined,
  context: { params: Promise<unknown> },
): Promise<z.ZodSafeParseResult<P>> {
  return schema ? schema.safeParse(await context.params) : { success: true, data: {} as P }
}

function unwrap<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  throw invalidInput(result.error)
}
