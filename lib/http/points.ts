import type { Point } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { RouteSpec } from './route-spec'

type Received = { request: Request; spec: RouteSpec }

/** What is known of a request whose caller and input have been checked; `params` are those of its path. */
export type CheckedRequest = Received & {
  actor: Actor | null
  params: unknown
  /** Distinguishes requests to one address. */
  content: string
  /** It changes nothing. */
  isReading: boolean
}

/** From the outside to the inside. */
declare module '@/lib/around' {
  interface Points {
    /** A request, whose response may be that of an error. `params` are those of its path. */
    request: Point<Deps, Received & { params: Promise<unknown> }, Response>
    /** The same inside: what is thrown becomes the response of an error. */
    serve: Point<Deps, Received, Response>
    /** The caller is identified and may do it (`auth`), or the input is read and checked (`parse`). */
    phase: Point<Deps, 'auth' | 'parse'>
    /** The work of a checked request. */
    respond: Point<Deps, CheckedRequest, Response>
  }
}
