import 'server-only'
import type { z } from 'zod'
import { currentActor } from '@/lib/auth/actor'
import { type Actor, type Permission, type Right, requireRight } from '@/lib/auth/rights'
import { isForeign, isSafeMethod, isSameOrigin } from '@/lib/auth/same-origin'
import { AppError } from '@/lib/errors'
import { type Deps, getDeps } from '@/lib/runtime'
import { readJson } from './body'
import { envelope, type Reply } from './envelope'
import { errorResponse, type Failure, invalidInput, toFailure } from './errors'
import type { Handler } from './methods'

/** `public`: anyone. `signed-in`: any valid credential. Else the right that the caller must have. */
export type Access<P> = 'public' | 'signed-in' | Permission | ((params: P) => Right)

type ActorFor<A> = A extends 'public' ? Actor | null : Actor

type Spec<A, P, Q, B> = {
  /** It has no default, so no route is open by accident. */
  access: A
  params?: z.ZodType<P>
  query?: z.ZodType<Q>
  /** Schema of a JSON body, or one by the query; without it the body is left unread for `handle`. */
  body?: z.ZodType<B> | ((query: Q) => z.ZodType<B>)
  /** Overrides `MAX_JSON_BYTES`. */
  maxBytes?: number
  /** Another shape of errors than the envelope's. */
  formatError?: (failure: Failure) => Response
  handle: (input: Input<A, P, Q, B>) => Promise<Reply | Response>
}

export type Input<A, P, Q, B> = {
  request: Request
  requestId: string
  deps: Deps
  actor: ActorFor<A>
  params: P
  query: Q
  body: B
}

/**
 * Makes a handler: checks the caller, parses params, query and body (all their faults are answered
 * at once), runs `handle`, answers its reply in the envelope or what it threw as an error. Needs
 * nothing of Next.js, so that any server of `Request`s can call it.
 */
export function route<const A extends Access<P>, P = unknown, Q = unknown, B = unknown>(
  spec: Spec<A, P, Q, B>,
): Handler {
  return async (request, context) => {
    const requestId = crypto.randomUUID()
    const response = await answer(spec, request, context, requestId)
    response.headers.set('X-Request-Id', requestId)
    return response
  }
}

async function answer<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  request: Request,
  context: { params: Promise<unknown> },
  requestId: string,
): Promise<Response> {
  let deps: Deps | undefined
  const startedAt = performance.now()
  try {
    deps = await getDeps()
    const params = (spec.params ? spec.params.parse(await context.params) : {}) as P
    const actor = await authorise(spec.access, params, request, deps)
    const query = parseQuery(spec.query, request)
    const body = await parseBody(spec, query, request, deps)
    const reply = await spec.handle({
      request,
      requestId,
      deps,
      actor: actor as ActorFor<A>,
      params,
      query,
      body,
    })
    const response = reply instanceof Response ? reply : envelope(reply)
    logRequest(deps, request, requestId, response.status, startedAt)
    return response
  } catch (thrown) {
    const failure = toFailure(thrown, requestId)
    logFailure(deps, request, requestId, failure, startedAt)
    return (spec.formatError ?? errorResponse)(failure)
  }
}

async function authorise<P>(
  access: Access<P>,
  params: P,
  request: Request,
  deps: Deps,
): Promise<Actor | null> {
  const changes = !isSafeMethod(request.method)
  // Nobody else's page signs visitors in, sets a new server up or asks for mails.
  if (access === 'public' && changes && isForeign(request, deps.settings)) throw notFromHere()
  const actor = await currentActor(request, deps)
  const forged = changes && actor?.type === 'user' && !isSameOrigin(request, deps.settings)
  if (access === 'public') return forged ? null : actor
  if (forged) throw notFromHere()
  if (!actor)
    throw new AppError(
      'unauthenticated',
      'Sign in, or send an API key as "Authorization: Bearer <key>"',
    )
  if (access !== 'signed-in') requireAccess(actor, access, params)
  return actor
}

const notFromHere = () =>
  new AppError('forbidden', 'A browser may send this from the pages of this server only')

function requireAccess<P>(actor: Actor, access: Right | ((params: P) => Right), params: P): void {
  if (actor.mustChangePassword)
    throw new AppError('forbidden', 'Change your password first: it was made for you')
  requireRight(actor, typeof access === 'function' ? access(params) : access)
}

function parseQuery<Q>(schema: z.ZodType<Q> | undefined, request: Request): Q {
  if (!schema) return {} as Q
  const search = new URL(request.url).searchParams
  const repeated = [...new Set(search.keys())].filter((key) => search.getAll(key).length > 1)
  if (repeated.length > 0) {
    const validations = repeated.map((field) => ({ field, error: 'Given more than once' }))
    throw new AppError(
      'invalid_input',
      `The query parameter "${repeated[0]}" is given more than once`,
      { validations },
    )
  }
  return unwrap(schema.safeParse(Object.fromEntries(search)))
}

async function parseBody<A, P, Q, B>(
  { body, maxBytes }: Spec<A, P, Q, B>,
  query: Q,
  request: Request,
  deps: Deps,
): Promise<B> {
  if (!body) return undefined as B
  const schema = typeof body === 'function' ? body(query) : body
  return unwrap(schema.safeParse(await readJson(request, maxBytes ?? deps.settings.MAX_JSON_BYTES)))
}

function unwrap<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  throw invalidInput(result.error)
}

function logRequest(
  deps: Deps,
  request: Request,
  requestId: string,
  status: number,
  startedAt: number,
): void {
  deps.log.info(
    {
      requestId,
      method: request.method,
      path: pathOf(request),
      status,
      ms: Math.round(performance.now() - startedAt),
    },
    'request',
  )
}

function logFailure(
  deps: Deps | undefined,
  request: Request,
  requestId: string,
  failure: Failure,
  startedAt: number,
): void {
  const { status, error, unexpected } = failure
  const line = {
    requestId,
    method: request.method,
    path: pathOf(request),
    status,
    ms: Math.round(performance.now() - startedAt),
    error: unexpected ? undefined : error.message,
  }
  if (unexpected || status >= 502)
    deps?.log.error({ ...line, cause: describeCause(error.options.cause) }, 'request failed')
  else deps?.log.info(line, 'request refused')
}

// The path alone: a query string may carry a filter with somebody's data, or a token.
const pathOf = (request: Request) => new URL(request.url).pathname

// No parameters of a failed statement: they hold people's data.
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
