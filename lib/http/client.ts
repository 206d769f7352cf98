import type { Validation } from '@/lib/errors'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { Pagination } from './envelope'
import { watchWrite } from './own-writes'
import { signInAgain, signInsSoFar } from './sign-in-again'

/** A successful response. */
export type ApiResponse<T> = {
  data: T[]
  meta: Record<string, unknown>
  pagination?: Pagination
  /** Of the returned state; `If-Match` with it changes no other state. */
  etag?: string
}

/** A request that was refused or never arrived. `message` is a sentence for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    /** HTTP status; 0 without a response. */
    readonly status: number,
    message: string,
    readonly validations: Validation[] = [],
    readonly meta: Record<string, unknown> = {},
    readonly requestId: string | null = null,
  ) {
    super(message)
  }

  /** What is wrong with one field; paths below it count (`profile` finds `profile.name`). */
  errorOf(field: string): string | undefined {
    return this.validations.find(
      (fault) => fault.field === field || fault.field.startsWith(`${field}.`),
    )?.error
  }
}

type Query = Record<string, string | number | boolean | null | undefined>

export type ApiOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Empty, null and undefined values are left out. */
  query?: Query
  /** Sent as JSON with every digit (`lib/values/exact-json`); a FormData as it is. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Calls the API from the browser. Returns numbers that a double can't hold as `LosslessNumber`.
 * Throws `ApiError`. A request that meets an ended session waits for the user to sign in again.
 */
export async function api<T>(path: string, options: ApiOptions = {}): Promise<ApiResponse<T>> {
  const response = await fetchSignedIn(withQuery(path, options.query), requestOf(path, options))
  const body = await readBody(response)
  if (response.ok)
    return { ...(body as ApiResponse<T>), etag: response.headers.get('etag') ?? undefined }
  throw failure(response.status, body, response.headers.get('x-request-id'))
}

/** The only item of a response that always has one. Throws as `api` does. */
export async function apiItem<T>(path: string, options: ApiOptions = {}): Promise<T> {
  const { data } = await api<T>(path, options)
  if (data[0] === undefined) throw new ApiError(404, 'The response is empty')
  return data[0]
}

/** `role:Clerk`, `user:<id>` or `key:<id>`: whom the page shows records as; null: the one who is signed in. */
let viewer: string | null = null
export const viewAs = (whom: string | null): void => {
  viewer = whom
}
export const isViewedAs = (): boolean => viewer !== null

function requestOf(
  path: string,
  { method = 'GET', body, headers, signal }: ApiOptions,
): RequestInit {
  const isForm = body instanceof FormData
  const json: Record<string, string> =
    body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }
  return {
    method,
    signal,
    headers: {
      ...json,
      ...(viewer && /^\/api\/entities\/./.test(path) && { 'X-Engine-View-As': encodeURI(viewer) }),
      ...headers,
    },
    body: body === undefined ? undefined : isForm ? body : exactJsonText(body),
  }
}

/** `fetch`, sent again after the user has signed in again. Throws `ApiError` without a response. */
export async function fetchSignedIn(path: string, request: RequestInit = {}): Promise<Response> {
  const before = signInsSoFar()
  const response = await send(path, request)
  if (response.status !== 401) return response
  return (await signInAgain(isRead(path, request), before)) ? send(path, request) : response
}

/** Also asked for without the user: by a page that shows it, again and again. */
const isRead = (path: string, { method = 'GET' }: { method?: string }) =>
  method === 'GET' || /\/(search|count|distribution)(\?|$)/.test(path)

async function send(path: string, request: RequestInit): Promise<Response> {
  try {
    const sent = fetch(path, request)
    return await (isRead(path, request) ? sent : watchWrite(sent))
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new ApiError(0, 'The server could not be reached. Check the connection and try again.')
  }
}

export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text ? parseExactJson(text) : undefined
  } catch {
    return undefined
  }
}

/** An `ApiError` from the JSON of an error response, in either of its two shapes. */
export function failure(status: number, body: unknown, requestId: string | null): ApiError {
  const { error, validations, meta } = (body ?? {}) as Partial<{
    error: string
    validations: Validation[]
    meta: Record<string, unknown>
  }>
  const message = error ?? `The server responded with ${status} and no message.`
  return new ApiError(status, message, validations, meta, requestId)
}
