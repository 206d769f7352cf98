import { z } from 'zod'
import {
  databaseError,
  EXHAUSTED,
  isDiskFull,
  isExhausted,
  isReadOnly,
  isUnavailable,
  refusalIn,
} from '@/lib/db/errors'
import { AppError, type ErrorCode, type Validation } from '@/lib/errors'
import { JSON_HEADERS, reason } from './envelope'
import { invalidInput, MAX_VALIDATIONS } from './invalid-input'

/** The only table of HTTP statuses. */
export const STATUS: Record<ErrorCode, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  expired: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  upstream_failed: 502,
  upstream_timeout: 504,
  unavailable: 503,
  insufficient_storage: 507,
}

export type Failure = { status: number; error: AppError; unexpected: boolean }

/** The error response for a thrown value. Unknown values become a 500 without details. */
export function toFailure(thrown: unknown, requestId: string): Failure {
  const found = recognise(thrown)
  const error = found && boundedError(found)
  if (error) return { status: STATUS[error.code], error, unexpected: false }
  const message = `Internal error; see the log entry with request id ${requestId}`
  return {
    status: 500,
    error: new AppError('unavailable', message, { cause: thrown }),
    unexpected: true,
  }
}

/** The error envelope. */
export function errorResponse({ status, error }: Failure): Response {
  const { validations, meta } = error.options
  const body = { ...errorBody(status, error.message, meta), validations }
  return new Response(JSON.stringify(body), { status, headers: headersFor(status, error) })
}

/** The part of the error envelope that every error has. */
export const errorBody = (status: number, error: string, meta: Record<string, unknown> = {}) => ({
  data: [],
  timestamp: Date.now(),
  code: status,
  status: reason(status),
  meta,
  error,
})

/** `{ status, error, meta? }`: the errors of plugin installs. */
export function pluginErrorResponse({ status, error }: Failure): Response {
  const { meta } = error.options
  const body = { status, error: error.message, ...(meta ? { meta } : {}) }
  return new Response(JSON.stringify(body), { status, headers: headersFor(status, error) })
}

/** The same with `validations`: a model is no archive, whose parts a caller could not find. */
export function modelErrorResponse({ status, error }: Failure): Response {
  const { validations, meta } = error.options
  const body = { status, error: error.message, meta, validations }
  return new Response(JSON.stringify(body), { status, headers: headersFor(status, error) })
}

export const headersFor = (status: number, { options: { retryAfter, allow } }: AppError) => ({
  ...JSON_HEADERS,
  ...(allow ? { Allow: allow } : {}),
  ...(retryAfter ? { 'Retry-After': String(Math.ceil(retryAfter)) } : {}),
  // The unread rest of the body can't be distinguished from the next request.
  ...(status === 408 ? { Connection: 'close' } : {}),
  ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="Engine"' } : {}),
})

function recognise(thrown: unknown): AppError | null {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof z.ZodError) return invalidInput(thrown)
  const refusal = refusalIn(thrown)
  if (refusal) return refusal
  if (isDiskFull(thrown)) return new AppError('insufficient_storage', FULL, { cause: thrown })
  if (isUnavailable(thrown))
    return new AppError('unavailable', whyUnavailable(thrown), {
      retryAfter: 5,
      cause: thrown,
    })
  const code = databaseError(thrown)?.code
  const known = code ? BY_SQLSTATE[code] : undefined
  return known ? new AppError(known[0], known[1], { retryAfter: known[2], cause: thrown }) : null
}

function whyUnavailable(thrown: unknown): string {
  if (isExhausted(thrown)) return EXHAUSTED
  return isReadOnly(thrown) ? READ_ONLY : AWAY
}

const FULL = 'The disk of the database is full; the change was not stored'
const AWAY = 'The database is away; try again in a moment'
const READ_ONLY = 'The database takes no changes at present, reading works; try again in a moment'

// Errors that input can cause in any statement; constraints are translated where their meaning is
// known.
const BY_SQLSTATE: Record<string, [ErrorCode, string, number?]> = {
  '23505': ['conflict', 'A record with the same unique value exists already'],
  '54001': ['invalid_input', 'The request is nested too deeply'],
  '54000': ['invalid_input', 'The request is too complex'],
  '22003': ['invalid_input', 'A number is beyond the range of its type'],
  '22P05': ['invalid_input', 'The text holds a character that PostgreSQL cannot store (U+0000)'],
  '22021': ['invalid_input', 'The text holds a character that PostgreSQL cannot store'],
  '40P01': ['unavailable', 'The request collided with another one; try again', 1],
  '40001': ['unavailable', 'The request collided with another one; try again', 1],
  '55P03': ['unavailable', 'The data is locked by another request; try again', 1],
  '57014': ['unavailable', 'The request took too long and was stopped; narrow it and try again', 1],
}

const MAX_SENTENCE_CHARS = 2000
const MAX_FIELD_CHARS = 300

/**
 * The error limited to what fits a response and a log line, however much of the input its texts
 * repeat: long texts are truncated, and of many validations only the first are kept, with their
 * number in `meta.validationCount`.
 */
function boundedError(error: AppError): AppError {
  const { validations = [], meta } = error.options
  const message = cut(error.message, MAX_SENTENCE_CHARS)
  if (message === error.message && validations.every(isShort) && !areMany(validations)) return error
  return new AppError(error.code, message, {
    ...error.options,
    validations: error.options.validations && validations.slice(0, MAX_VALIDATIONS).map(shortened),
    meta: areMany(validations) ? { validationCount: validations.length, ...meta } : meta,
    cause: error.options.cause ?? error,
  })
}

const areMany = (validations: Validation[]) => validations.length > MAX_VALIDATIONS

const isShort = ({ field, error }: Validation) =>
  field.length <= MAX_FIELD_CHARS && error.length <= MAX_SENTENCE_CHARS

const shortened = ({ field, error }: Validation): Validation => ({
  field: cut(field, MAX_FIELD_CHARS),
  error: cut(error, MAX_SENTENCE_CHARS),
})

/** Not between the halves of a surrogate pair. */
const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`
