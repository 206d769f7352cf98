import type { z } from 'zod'
import type { ErrorCode } from '@/lib/errors'

/** Headers of answers that are worth telling of; `X-Request-Id` is on every one. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Preference-Applied'
  | 'Idempotency-Replayed'
  | 'Accept-Ranges'
  | 'Content-Range'
  | 'Content-Disposition'
  | 'Set-Cookie'

/** Headers a client may send besides those that every operation of the kind takes. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Range'
  | 'Last-Event-ID'
  | 'Prefer'
  | 'Range'

export type ResponseDoc = {
  description?: string
  /** Schemas by media type; without any the answer is empty. */
  content: Record<string, z.ZodType>
  headers?: readonly ResponseHeader[]
}

/** What clients are told of an operation, besides what `route()` knows of it. */
export type OperationDoc = {
  /** Name of the operation in generated clients: a verb and a noun. */
  id: string
  /** A few words in the imperative. */
  summary: string
  description?: string
  /** Answers that are no errors, by status. */
  responses: Partial<Record<number, ResponseDoc>>
  /**
   * Failures besides those that follow from the rest: a bad request, a missing credential or right, a
   * path that names nothing, a server in trouble.
   */
  fails?: readonly ErrorCode[]
  headers?: readonly RequestHeader[]
  /** The parts of the multipart form that `upload` reads. */
  form?: z.ZodType
  /** Content of a body that `handle` reads itself, by media type. */
  body?: Record<string, z.ZodType>
  /** Takes a credential although `access` is `public`: it is checked inside. */
  needsCredential?: true
  /** A body that works. */
  example?: unknown
}

/** A route that is left out of the document, and why. */
type Undocumented = { undocumented: string }

export type Doc = OperationDoc | Undocumented
