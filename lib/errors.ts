/** The ways in which a request is refused. Their HTTP statuses are in `lib/http/errors.ts`. */
export type ErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'expired'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'unavailable'
  | 'insufficient_storage'

/** An invalid field of the input: its dotted path (`filters.0.field`) and what is wrong with it. */
export type Validation = { field: string; error: string }

type Options = {
  validations?: Validation[]
  /** Details for the `meta` of the response; the caller sees them. */
  meta?: Record<string, unknown>
  /** Seconds; becomes `Retry-After`. */
  retryAfter?: number
  /** The allowed methods, `GET, HEAD`; becomes `Allow`. */
  allow?: string
  /** Logged, never part of a response. */
  cause?: unknown
}

/**
 * A failure that the caller may see. `message` is one sentence that a person can act on; it never
 * contains SQL, paths or secrets: put those in `cause`.
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
   * Compares names: what is created at start-up (storage, mail, locks) throws the class of its own
   * bundle, and route handlers have another copy of it.
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
