import type { z } from 'zod'
import { around } from '@/lib/around'
import { isOfOtherTables } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { forgetRegistry } from '@/lib/registry/registry'
import { getDeps } from '@/lib/runtime'
import { authorise } from './authorise'
import { addCors } from './cors'
import { envelope, type Reply } from './envelope'
import { errorResponse, toFailure } from './errors'
import { invalidInput } from './invalid-input'
import { type Call, logFailure, logResponse } from './log-request'
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
    const requestId = crypto.randomUUID()
    const call: Call = { request, params, requestId, startedAt: performance.now() }
    const response = await getDeps().then(
      (deps) => around(deps, 'request', { request, params, spec }, () => respond(spec, call, deps)),
      (thrown) => refuse(spec, call, thrown),
    )
    response.headers.set('X-Request-Id', call.requestId)
    return response
  }
  return Object.assign(handler, { spec })
}

async function respond<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  call: Call,
  deps: Deps,
): Promise<Response> {
  try {
    const response = await withinWaits(deps, () =>
      around(deps, 'serve', { request: call.request, spec }, () => serve(spec, call, deps)),
    )
    await logResponse(deps, call, response.status)
    return response
  } catch (thrown) {
    return refuse(spec, call, thrown, deps)
  }
}

async function refuse(
  spec: RouteSpec,
  call: Call,
  thrown: unknown,
  deps?: Deps,
): Promise<Response> {
  const failure = toFailure(thrown, call.requestId)
  if (deps) await logFailure(deps, call, failure)
  return (spec.formatError ?? errorResponse)(failure)
}

/** The stages of a request. */
async function serve<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  call: Call,
  deps: Deps,
): Promise<Response> {
  const { request, params: path, requestId } = call
  const pathParams = spec.params?.safeParse(await path) ?? NO_PARAMS
  // Before a byte of the body is read.
  const actor = await around(deps, 'phase', 'auth', () =>
    withinReadTime(request, deps.settings, () =>
      authorise(spec, () => unwrap(pathParams), request, deps),
    ),
  )
  call.actor = actor
  const input = await around(deps, 'phase', 'parse', () =>
    readInput(spec, pathParams, request, deps),
  )
  const { params, query, body, upload, content } = input
  const caller = actor as ActorFor<A>
  const handle = () =>
    spec.handle({ request, requestId, deps, actor: caller, params, query, body, upload })
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
    if (upload) await upload.dispose()
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

/** Of routes that declare none. */
const NO_PARAMS = { success: true as const, data: {} as never }

function unwrap<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  throw invalidInput(result.error)
}

export type Handler = {
  (request: Request, context: { params: Promise<unknown> }): Promise<Response>
  /** Of a handler created by `route()`. */
  spec?: RouteSpec
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

/**
 * All exports of a `route.ts`: the given handlers, HEAD as GET without its body, OPTIONS with
 * `Allow`, and for every other method 405 with `Allow` in the envelope (Next's own has no body).
 */
export function methods(handlers: Partial<Record<Method, Handler>>): Record<Method, Handler> {
  const allowed = METHODS.filter((method) => handlers[method] || isPresent(method, handlers))
  const allow = allowed.join(', ')
  const all = METHODS.map((method) => [
    method,
    acrossOrigins(handlers[method] ?? standIn(method, handlers, allow), allow),
  ])
  return Object.fromEntries(all) as Record<Method, Handler>
}

/** The handler, with what `CORS_ORIGINS` adds to its responses. */
function acrossOrigins(handler: Handler, allow: string): Handler {
  const answered: Handler = async (request, context) => {
    const response = await handler(request, context)
    // Without them there are no settings that could allow another origin.
    const add = ({ settings }: Deps) => addCors(request, response, settings, allow)
    await getDeps().then(add, () => {})
    return response
  }
  return Object.assign(answered, { spec: handler.spec })
}

const isPresent = (method: Method, handlers: Partial<Record<Method, Handler>>) =>
  method === 'OPTIONS' || (method === 'HEAD' && handlers.GET !== undefined)

function standIn(
  method: Method,
  handlers: Partial<Record<Method, Handler>>,
  allow: string,
): Handler {
  if (method === 'OPTIONS')
    return async () =>
      new Response(null, {
        status: 204,
        headers: { Allow: allow, ...ownHeaders() },
      })
  if (method === 'HEAD' && handlers.GET) return headOf(handlers.GET)
  return async (request) => methodNotAllowed(request.method, allow)
}

/** 405 in the envelope; `allow` lists the allowed methods. */
export function methodNotAllowed(method: string, allow: string): Response {
  const error = new AppError('method_not_allowed', `${method} is not allowed here; use ${allow}`)
  const response = errorResponse({ status: 405, error, unexpected: false })
  response.headers.set('Allow', allow)
  for (const [name, value] of Object.entries(ownHeaders())) response.headers.set(name, value)
  return response
}

const headOf =
  (get: Handler): Handler =>
  async (request, context) => {
    const { status, headers, body } = await get(request, context)
    await body?.cancel()
    return new Response(null, { status, headers })
  }

/** Of every response of the API; nothing is measured of those that do nothing. */
const ownHeaders = () => ({
  'X-Request-Id': crypto.randomUUID(),
  'Server-Timing': 'total;dur=0.0',
})
