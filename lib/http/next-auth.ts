import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { deviceCookie, readDevice, withAccount } from '@/lib/auth/known-device'
import { actorBySession } from '@/lib/auth/load-actor'
import { type AuthSteps, nextAuthOptions } from '@/lib/auth/next-auth-options'
import { callerAddress } from '@/lib/auth/request-origin'
import { requireSession } from '@/lib/auth/rights'
import type { StartedSession } from '@/lib/auth/session-token'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { signOut } from '@/lib/users/end-sessions'
import { finishByPassword } from '@/lib/users/finish-by-password'
import { finishSignIn } from '@/lib/users/finish-sign-in'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import type { SignedIn } from '@/lib/users/record-sign-in'
import { signIn } from '@/lib/users/sign-in'
import { signInByPasskey } from '@/lib/users/sign-in-by-passkey'
import type { Visitor } from '@/lib/users/visitor'
import { bodyLimits, readBytes } from './body'
import { errorResponse, toFailure } from './errors'
import { NodeReply } from './node-reply'

type Outcome = {
  /** Set by the callbacks, since next-auth swallows the reason. */
  thrown?: unknown
  /** Marks the browser of a successful sign-in as known. */
  deviceCookie?: string
}

/**
 * Lets next-auth handle `/api/auth/<action>`, through its interface for plain Node servers: the
 * other one needs Next's request context. A refused sign-in is an error in the envelope, with
 * next-auth's `url` beside it for its own client.
 */
export async function respondByNextAuth(
  deps: Deps,
  request: Request,
  action: string[],
  requestId: string,
): Promise<Response> {
  const outcome: Outcome = {}
  const steps = stepsOf(deps, request, requestId, outcome)
  const reply = new NodeReply()
  const body = await readForm(request, deps)
  await NextAuth(
    nodeRequest(request, action, body) as unknown as NextApiRequest,
    reply as unknown as NextApiResponse,
    nextAuthOptions(deps.settings, deps.secret, steps),
  )
  // next-auth handles errors of refused sign-ins only.
  if (outcome.thrown !== undefined && action[0] !== 'callback') throw outcome.thrown
  if (outcome.deviceCookie) reply.addCookie(outcome.deviceCookie)
  const refused = outcome.thrown ?? (lacksCsrfToken(reply) ? EXPIRED_FORM : undefined)
  if (refused === undefined || body.json !== 'true') return reply.toResponse()
  return refusal(refused, reply, requestId)
}

const EXPIRED_FORM = new AppError('forbidden', 'The sign-in form has expired; reload the page')
const lacksCsrfToken = (reply: NodeReply) => /[?&]csrf=true$/.test(reply.url ?? '')

function stepsOf(deps: Deps, request: Request, requestId: string, outcome: Outcome): AuthSteps {
  const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      outcome.thrown = toAppError(error)
      throw outcome.thrown
    }
  }
  const findActor: AuthSteps['findActor'] = (claims) => actorBySession(deps, claims, address)
  return {
    signIn: (fields) => noting(signInHere(deps, request, { fields, address, requestId }, outcome)),
    signOut: (claims) =>
      noting(
        findActor(claims).then((actor) => {
          if (!actor) return undefined
          requireSession(actor)
          return signOut(deps, actor, requestId)
        }),
      ),
    findActor: (claims) => noting(findActor(claims)),
  }
}

/** What changed since the provider's answer, before its second step, is a refusal like any other. */
const toAppError = (error: unknown) =>
  error instanceof ProviderRefusal ? new AppError('forbidden', error.message) : error

async function signInHere(
  deps: Deps,
  { headers }: Request,
  { fields, address, requestId }: Form,
  outcome: Outcome,
): Promise<StartedSession> {
  const device = await readDevice(headers, deps.settings, deps.secret)
  const userAgent = headers.get('user-agent')
  const { email, session } = await signInBy(deps, fields, { address, userAgent, device, requestId })
  const known = withAccount(device, email)
  outcome.deviceCookie = await deviceCookie(known, deps.settings, deps.secret)
  return session
}

type Form = { fields: Record<string, string>; address: string | null; requestId: string }

/** By email and password, by a ticket and a second factor or a password, or by a passkey alone. */
async function signInBy(
  deps: Deps,
  { email = '', password = '', ticket, code = '', passkey }: Record<string, string>,
  visitor: Visitor,
): Promise<SignedIn> {
  if (passkey !== undefined) return signInByPasskey(deps, { passkey, ticket }, visitor)
  if (ticket !== undefined && password !== '')
    return finishByPassword(deps, { ticket, password }, visitor)
  if (ticket !== undefined) return finishSignIn(deps, { ticket, code }, visitor)
  return signIn(deps, { ...visitor, email, password })
}

async function refusal(thrown: unknown, reply: NodeReply, requestId: string): Promise<Response> {
  const failure = toFailure(thrown, requestId)
  if (failure.unexpected) throw thrown
  const response = errorResponse(failure)
  const body = { ...((await response.json()) as object), url: reply.url }
  const { headers } = reply.toResponse()
  for (const [name, value] of response.headers) headers.set(name, value)
  headers.delete('WWW-Authenticate') // with it, a browser would open its own password prompt
  headers.delete('Location')
  return new Response(JSON.stringify(body), { status: failure.status, headers })
}

const nodeRequest = (request: Request, nextauth: string[], body: Record<string, unknown>) => {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: parseCookies(request.headers.get('cookie') ?? ''),
    query: { ...query, nextauth },
    body,
  }
}

/** The fields of a form or of a JSON object, whichever was sent. */
async function readForm(request: Request, { settings }: Deps): Promise<Record<string, string>> {
  if (request.method !== 'POST') return {}
  const bytes = await readBytes(request, bodyLimits(settings, { access: 'public' }))
  const text = new TextDecoder().decode(bytes)
  if (!/json/i.test(request.headers.get('content-type') ?? ''))
    return Object.fromEntries(new URLSearchParams(text))
  return Object.fromEntries(
    Object.entries(parseObject(text)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch (cause) {
    throw new AppError('invalid_input', 'The body is not valid JSON', { cause })
  }
}

const parseCookies = (header: string): Record<string, string> =>
  Object.fromEntries(
    header.split(';').flatMap((pair) => {
      const [name, ...value] = pair.trim().split('=')
      return name ? [[name, decode(value.join('='))]] : []
    }),
  )

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
