/** Every way a request can fail on purpose. Their HTTP statuses are in `lib/http/errors.ts`. */
export type ErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'unavailable'
  | 'insufficient_storage'

/** One offending field of the input: a dotted path (`filters.0.field`) and what is wrong with it. */
export type Validation = { field: string; error: string }

type Options = {
  validations?: Validation[]
  /** Facts for the answer's `meta`; seen by the caller. */
  meta?: Record<string, unknown>
  /** Seconds; becomes `Retry-After`. */
  retryAfter?: number
  /** Methods that would do, `GET, HEAD`; becomes `Allow`. */
  allow?: string
  /** Logged only, never answered. */
  cause?: unknown
}

/**
 * A failure the caller may be told about. `message` is one sentence that a person can act on; it
 * never carries SQL, paths or secrets: put those in `cause`.
 */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly options: Options = {},
  ) {
    super(message, { cause: options.cause })
  }

  /**
   * By name: what is made at start-up (storage, mail, locks) throws the class of its own bundle at
   * route handlers that have another copy of it.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'AppError'
  }
}

/** The message of anything thrown, which need not be an `Error`. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { name, message } = error as { name?: unknown; message?: unknown }
  if (typeof message === 'string' && message) return message
  return error instanceof Error ? error.name : `${name ?? 'Error'} ${JSON.stringify(error)}`
}
