import type { Validation } from '@/lib/errors'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { Pagination } from './envelope'

/** A successful response, interface.md §1. */
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
 * Throws `ApiError`; a 401 leads to the sign-in page.
 */
export async function api<T>(path: string, options: ApiOptions = {}): Promise<ApiResponse<T>> {
  const response = await send(path, options)
  const body = await readBody(response)
  if (response.ok)
    return { ...(body as ApiResponse<T>), etag: response.headers.get('etag') ?? undefined }
  throw failure(response.status, body, response.headers.get('x-request-id'))
}

async function send(path: string, { method = 'GET', query, body, headers, signal }: ApiOptions) {
  const isForm = body instanceof FormData
  const json: Record<string, string> =
    body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }
  try {
    return await fetch(withQuery(path, query), {
      method,
      signal,
      headers: { ...json, ...headers },
      body: body === undefined ? undefined : isForm ? body : exactJsonText(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
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
  if (status === 401) leaveForSignIn()
  const message = error ?? `The server responded with ${status} and no message.`
  return new ApiError(status, message, validations, meta, requestId)
}

function leaveForSignIn(): void {
  if (typeof window === 'undefined' || window.location.pathname === '/login') return
  const here = window.location.pathname + window.location.search
  window.location.assign(`/login?next=${encodeURIComponent(here)}`)
}
