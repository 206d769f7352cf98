import type { z } from 'zod'
import type { AccountActor, Actor, Permission, Right, SessionActor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { Doc } from './doc'
import type { Reply } from './envelope'
import type { Failure } from './errors'
import type { Upload, UploadOptions } from './multipart'

/**
 * `public`: everyone, without identification. `optional`: everyone; the handler gets the caller of
 * a valid credential. `own-account`: a person, or a key that acts as one. `own-session`: a person in a
 * browser. `scim`: the identity provider, by the SCIM token alone. `signed-in`: any valid credential, except those of callers who must change their password
 * or set up a second factor first. Else the right that the caller needs, or several of which one is enough.
 */
export type Access<P> =
  | 'public'
  | 'optional'
  | 'own-account'
  | 'own-session'
  | 'scim'
  | 'signed-in'
  | Permission
  | readonly [Permission, ...Permission[]]
  | ((params: P, search: () => URLSearchParams) => Right)

export type ActorFor<A> = A extends 'public'
  ? null
  : A extends 'optional'
    ? Actor | null
    : A extends 'own-session'
      ? SessionActor
      : A extends 'own-account'
        ? AccountActor
        : Actor

export type Spec<A, P, Q, B> = {
  /** Its entry in the API reference; like `access`, it has no default. */
  doc: Doc
  /** Without a default, so that no route is public by accident. */
  access: A
  /** Also for callers without a credential, with the rights of the role `ANONYMOUS`, where `ANONYMOUS_ACCESS` lets them in. */
  guests?: true
  params?: z.ZodType<P>
  query?: z.ZodType<Q>
  /**
   * Schema of a JSON body, or one by the query; without it the body is left unread for `handle`.
   */
  body?: z.ZodType<B> | ((query: Q) => z.ZodType<B>)
  /** The body may be left out, which is as an empty object. */
  optionalBody?: boolean
  /**
   * The body holds records or conditions: it may have `MAX_JSON_BYTES` (others 1 MiB, and 64 KiB
   * where anyone may call), and its numbers keep all their digits: see `literalOf`.
   */
  exactNumbers?: boolean
  /** The request is a multipart form with one file; what was read of it is `upload`. What this throws, it throws before anything is read. */
  upload?: (deps: Deps) => UploadOptions | Promise<UploadOptions>
  /** A POST that only reads and ignores `Idempotency-Key`. */
  readOnly?: boolean
  /**
   * Its cost to this process, which decides when it may be refused: `vital`, never; `light`, late; `heavy`, first. Default
   * `light`, with a large upload `heavy`.
   */
  load?: 'vital' | 'light' | 'heavy'
  /** A change that ends when its client leaves. */
  endsWithClient?: boolean
  /** Formats errors other than in the envelope. */
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
  /** Null when the body is no multipart form. Its file is removed when the request ends. */
  upload: Upload | null
}

/** The properties of a route that can be read without calling it. */
export type RouteSpec = Pick<
  Spec<Access<never>, never, never, never>,
  | 'doc'
  | 'access'
  | 'guests'
  | 'upload'
  | 'optionalBody'
  | 'readOnly'
  | 'load'
  | 'endsWithClient'
  | 'formatError'
> & {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType | ((query: never) => z.ZodType)
}
