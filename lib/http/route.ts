import 'server-only'
import type { z } from 'zod'
import { currentActor } from '@/lib/auth/actor'
import { type Actor, type Right, requireOwnPassword, requireRight } from '@/lib/auth/rights'
import { isForeign, isSafeMethod, isSameOrigin } from '@/lib/auth/same-origin'
import { AppError } from '@/lib/errors'
import { observeRequest } from '@/lib/metrics/observe-request'
import { type Deps, getDeps } from '@/lib/runtime'
import { answerIdempotently } from './answer-idempotently'
import { readJson } from './body'
import { envelope, type Reply } from './envelope'
import { errorResponse, invalidInput, toFailure } from './errors'
import { logAnswer, logFailure } from './log-request'
import type { Handler } from './methods'
import { readMultipart, type Upload } from './multipart'
import type { Access, ActorFor, Spec } from './route-spec'

/**
 * Makes a handler: checks the caller, parses params, query and body (all their faults are answered
 * at once), runs `handle`, answers its reply in the envelope or what it threw as an error. Needs
 * nothing of Next.js, so that any server of `Request`s can call it. The handler bears its `spec`.
 */
export function route<const A extends Access<P>, P = unknown, Q = unknown, B = unknown>(
  spec: Spec<A, P, Q, B>,
): Handler {
  const handler: Handler = async (request, context) => {
    const requestId = crypto.randomUUID()
    const startedAt = performance.now()
    const response = await answer(spec, request, context, requestId)
    response.headers.set('X-Request-Id', requestId)
    await observeRequest(request, context.params, response.status, startedAt)
    return response
  }
  return Object.assign(handler, { spec })
}

async function answer<A extends Access<P>, P, Q, B>(
  spec: Spec<A, P, Q, B>,
  request: Request,
  context: { params: Promise<unknown> },
  requestId: string,
): Promise<Response> {
  const outcome = { request, requestId, startedAt: performance.now() }
  let deps: Deps | undefined
  let upload: Upload | null = null
  try {
    deps = await getDeps()
    const params = (spec.params ? spec.params.parse(await context.params) : {}) as P
    const caller = await authorise(spec.access, params, request, deps)
    const actor = caller as ActorFor<A>
    const query = parseQuery(spec.query, request)
    const body = await parseBody(spec, query, request, deps)
    upload = spec.upload ? await readMultipart(request, spec.upload(deps)) : null
    const input = { request, requestId, deps, actor, params, query, body, upload }
    const respond = async () => toResponse(await spec.handle(input))
    const response = spec.readOnly
      ? await respond()
      : await answerIdempotently(deps, request, caller, contentOf(body, upload), respond)
    logAnswer(deps.log, outcome, response.status)
    return response
  } catch (thrown) {
    const failure = toFailure(thrown, requestId)
    if (deps) logFailure(deps.log, outcome, failure)
    return (spec.formatError ?? errorResponse)(failure)
  } finally {
    await upload?.dispose()
  }
}

const toResponse = (reply: Reply | Response) =>
  reply instanceof Response ? reply : envelope(reply)

const contentOf = (body: unknown, upload: Upload | null) =>
  JSON.stringify(
    upload ? [upload.file?.sha256, upload.file?.fileName, upload.fields] : (body ?? null),
  )

async function authorise<P>(
  access: Access<P>,
  params: P,
  request: Request,
  deps: Deps,
): Promise<Actor | null> {
  const changes = !isSafeMethod(request.method)
  const isOpen = access === 'public' || access === 'optional'
  // Nobody else's page signs visitors in, sets a new server up or asks for mails.
  if (isOpen && changes && isForeign(request, deps.settings)) throw notFromHere()
  if (access === 'public') return null
  const actor = await currentActor(request, deps).catch((error) => {
    if (access === 'optional' && error instanceof AppError) return null
    throw error
  })
  const forged = changes && actor?.type === 'user' && !isSameOrigin(request, deps.settings)
  if (access === 'optional') return forged ? null : actor
  if (forged) throw notFromHere()
  if (!actor)
    throw new AppError(
      'unauthenticated',
      'Sign in, or send an API key as "Authorization: Bearer <key>"',
    )
  if (access !== 'own-account') requireAccess(actor, access, params)
  return actor
}

const notFromHere = () =>
  new AppError('forbidden', 'A browser may send this from the pages of this server only')

function requireAccess<P>(
  actor: Actor,
  access: 'signed-in' | Right | ((params: P) => Right),
  params: P,
): void {
  requireOwnPassword(actor)
  if (access !== 'signed-in')
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
  { body, maxBytes, exactNumbers: exactly }: Spec<A, P, Q, B>,
  query: Q,
  request: Request,
  deps: Deps,
): Promise<B> {
  if (!body) return undefined as B
  const schema = typeof body === 'function' ? body(query) : body
  const limit = maxBytes ?? deps.settings.MAX_JSON_BYTES
  return unwrap(schema.safeParse(await readJson(request, limit, { exactly })))
}

function unwrap<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  throw invalidInput(result.error)
}
