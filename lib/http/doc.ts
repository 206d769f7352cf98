import type { z } from 'zod'
import type { ErrorCode } from '@/lib/errors'

/** Documented headers of responses; every response has `X-Request-Id`. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Preference-Applied'
  | 'Idempotency-Replayed'
  | 'Accept-Ranges'
  | 'Content-Range'
  | 'Content-Disposition'
  | 'Set-Cookie'
  | 'X-Engine-Changes-Cursor'

/** Headers a client may send besides those that every operation of the kind takes. */
export type RequestHeader =
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Range'
  | 'Last-Event-ID'
  | 'Prefer'
  | 'Range'
  | 'X-Engine-Consistency'
  | 'X-Engine-View-As'

export type ResponseDoc = {
  description?: string
  /** Schemas by media type; without any, the response is empty. */
  content: Record<string, z.ZodType>
  headers?: readonly ResponseHeader[]
}

/** The documentation of an operation, besides what follows from its `route()`. */
export type OperationDoc = {
  /** Name of the operation in generated clients: a verb and a noun. */
  id: string
  /** A few words in the imperative. */
  summary: string
  description?: string
  /**
   * Responses by status: those other than errors, and errors in a form of their own. A schema alone: a list of such items
   * in the envelope.
   */
  responses: Partial<Record<number, ResponseDoc | z.ZodType>>
  /**
   * Errors besides those that follow from the rest: a bad request, a missing credential or right, a
   * path that does not exist, an overloaded or failing server.
   */
  fails?: readonly ErrorCode[]
  headers?: readonly RequestHeader[]
  /** The parts of the multipart form that `upload` reads. */
  form?: z.ZodType
  /** Content of a body that `handle` reads itself, by media type. */
  body?: Record<string, z.ZodType>
  /** Takes a credential although `access` is `public`: it is checked inside. */
  needsCredential?: true
  /** A valid body. */
  example?: unknown
}

/** A route that is not in the document, and why. */
type Undocumented = { undocumented: string }

export type Doc = OperationDoc | Undocumented
