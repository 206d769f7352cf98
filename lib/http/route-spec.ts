import type { z } from 'zod'
import type { Actor, Permission, Right } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { Load } from '@/lib/load/shed'
import type { Doc } from './doc'
import type { Reply } from './envelope'
import type { Failure } from './errors'
import type { Upload, UploadOptions } from './multipart'

/**
 * `public`: anyone, and nobody looks who. `optional`: anyone, and a good credential is told.
 * `own-account`: a person, or a key without scopes. `signed-in`: any good credential, but for those who
 * must change their password first. Else the right that the caller must have.
 */
export type Access<P> =
  | 'public'
  | 'optional'
  | 'own-account'
  | 'signed-in'
  | Permission
  | ((params: P) => Right)

export type ActorFor<A> = A extends 'public' ? null : A extends 'optional' ? Actor | null : Actor

export type Spec<A, P, Q, B> = {
  /** What the API reference says of it; as `access`, it has no default. */
  doc: Doc
  /** It has no default, so no route is open by accident. */
  access: A
  params?: z.ZodType<P>
  query?: z.ZodType<Q>
  /** Schema of a JSON body, or one by the query; without it the body is left unread for `handle`. */
  body?: z.ZodType<B> | ((query: Q) => z.ZodType<B>)
  /**
   * The body holds records or conditions: it may have `MAX_JSON_BYTES` (others 1 MiB, and 64 KiB where
   * anyone may call), and its numbers keep all their digits: see `literalOf`.
   */
  exactNumbers?: boolean
  /** The request is a multipart form with one file; what was read of it is `upload`. */
  upload?: (deps: Deps) => UploadOptions
  /** A POST that only reads: `Idempotency-Key` means nothing to it. */
  readOnly?: boolean
  /** How long it is served while there is too much to do; `light` when left out, or with an upload `heavy`. */
  load?: Load
  /** A change that is given up when its client leaves. */
  endsWithClient?: boolean
  /** Another shape of errors than the envelope's. */
  formatError?: (failure: Failure) => Response
  handle: (input: Input<A, P, Q, B>) => Promise<Reply | Response>
}

type Input<A, P, Q, B> = {
  request: Request
  requestId: string
  deps: Deps
  actor: ActorFor<A>
  params: P
  query: Q
  body: B
  /** Null when the body is no multipart form. Its file goes when the request ends. */
  upload: Upload | null
}

/** What can be read of a route without calling it. */
export type RouteSpec = Pick<
  Spec<Access<never>, never, never, never>,
  'doc' | 'access' | 'upload' | 'readOnly' | 'load' | 'endsWithClient' | 'formatError'
> & {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType | ((query: never) => z.ZodType)
}
