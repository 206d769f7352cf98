import type { z } from 'zod'
import { around } from '@/lib/around'
import { isOfOtherTables } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import type { Log } from '@/lib/log'
import { forgetRegistry } from '@/lib/registry/registry'
import { getDeps } from '@/lib/runtime'
import { authorise } from './authorise'
import { envelope, type Reply } from './envelope'
import { errorResponse, toFailure } from './errors'
import { invalidInput } from './invalid-input'
import { logFailure, logResponse } from './log-request'
import type { Handler } from './methods'
import type { CheckedRequest } from './points'
import { readInput } from './read-input'
import type { Access, ActorFor, RouteSpec, Spec } from './route-spec'
import { isReading, withinReadTime, withinTime, withinWaits } from './time-limits'

/**
 * Creates a handler: checks the caller, then reads params, query and body (all their errors are in
 * one response), runs `handle` and returns its reply in the envelope, or an error response for what
 * it threw. Independent of Next.js, so that any server of `Request`s can call it. Has its `spec`.
 */
export function route<const A extends Access<P>, P = unknown, Q = unknown, B = unknown>(
  spec: Spec<A, P, Q, B>,
): Handler {
  const handler: Handler = async (request, { params }) => {
    const call = { request, params, requestId: crypto.randomUUID(), startedAt: performance.now() }
    const response = await getDeps().then(
      (deps) => around(deps, 'request', { request, params, spec }, () => respond(spec, call, deps)),
      (thrown) => refuse(spec, call, thrown),
    )
    response.headers.set('X-Request-Id', call.requestId)
    return response
  }
  return Object.assign(handler, { spec })
}

type Call = { request: Request; params: Promise<unknown>; requestId: string; startedAt: number }

async function respond<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  call: Call,
  deps: Deps,
): Promise<Response> {
  try {
    const response = await withinWaits(deps, () =>
      around(deps, 'serve', { request: call.request, spec }, () => serve(spec, call, deps)),
    )
    logResponse(deps.log, call, response.status)
    return response
  } catch (thrown) {
    return refuse(spec, call, thrown, deps.log)
  }
}

function refuse(spec: RouteSpec, call: Call, thrown: unknown, log?: Log): Response {
  const failure = toFailure(thrown, call.requestId)
  if (log) logFailure(log, call, failure)
  return (spec.formatError ?? errorResponse)(failure)
}

/** The stages of a request. */
async function serve<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  { request, params: path, requestId }: Call,
  deps: Deps,
): Promise<Response> {
  const pathParams = await checkParams(spec.params, path)
  // Before a byte of the body is read.
  const actor = await around(deps, 'phase', 'auth', () =>
    withinReadTime(request, deps.settings, () =>
      authorise(spec.access, () => unwrap(pathParams), request, deps),
    ),
  )
  const input = await around(deps, 'phase', 'parse', () =>
    readInput(spec, pathParams, request, deps),
  )
  const { content, ...checked } = input
  const { params } = checked
  const handle = () =>
    spec.handle({ request, requestId, deps, actor: actor as ActorFor<A>, ...checked })
  const run: CheckedRequest = {
    request,
    spec,
    actor,
    params,
    content,
    isReading: isReading(spec, request),
  }
  try {
    return await around(deps, 'respond', run, async () =>
      toResponse(
        await withKnownTable(deps, params, () => withinTime(spec, request, deps.settings, handle)),
      ),
    )
  } finally {
    await input.upload?.dispose()
  }
}

/**
 * Again when the table of the entity or a column is gone or of another type, which another instance may have changed:
 * the second time, its definition is read anew.
 */
function withKnownTable<T>(deps: Deps, params: unknown, work: () => Promise<T>): Promise<T> {
  if ((params as { entityName?: string } | null)?.entityName === undefined) return work()
  return work().catch((error) => {
    if (!isOfOtherTables(error)) throw error
    forgetRegistry(deps)
    return work()
  })
}

const toResponse = (reply: Reply | Response) =>
  reply instanceof Response ? reply : envelope(reply)

async function checkParams<P>(
  schema: z.ZodType<P> | undefined,
  params: Promise<unknown>,
): Promise<z.ZodSafeParseResult<P>> {
  return schema ? schema.safeParse(await params) : { success: true, data: {} as P }
}

function unwrap<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  throw invalidInput(result.error)
}
