/** A request, sent to a server whose address comes before `path`. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: string | Uint8Array<ArrayBuffer>
  type?: string
  /** Of the response that the client has already. */
  etag?: string
  /** An API key in place of the administrator's. */
  key?: string
}

/** Something for the server under test and for the bare server. */
export type Sides<T> = { engine: T; bare: T }
export type Side = keyof Sides<unknown>

export type Case = {
  /** Of the option `--case` and in the table of goals. */
  name: string
  title: string
  /** The `n`th request, the same work on both sides. */
  call: (n: number) => Sides<Call>
  /** What must be equal in the responses. */
  equal: Equal
  /** Compares the server with itself: requests of `bare` go to it too. */
  isOwnFloor?: boolean
  /** A write sent 20 times a second meanwhile, of the same table. */
  beside?: (n: number) => Sides<Call>
  /** Whether it writes records of Member: both sides' are made alike before. */
  writes?: boolean
  /** Work that takes long by itself: one request is a round. */
  isSingle?: boolean
  /** Less work of the same kind, for a single case: repeated first, until the code of both sides is compiled. */
  little?: (n: number) => Sides<Call>
  /** Before each request of a single case, and before each round of others. */
  prepare?: () => Promise<void>
}

type Equal =
  /** `data`, in order, and `pagination.total`. */
  | 'page'
  /** `data`, in order. */
  | 'records'
  /** `data` without its keys, which each side assigns. */
  | 'created'
  /** The same, of a record or several, without what only ours have. */
  | 'peer'
  /** The bytes of the body. */
  | 'text'
  /** The work is checked by its effect. */
  | 'status'

export const get = (path: string): Call => ({ method: 'GET', path })

export const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown): Call => ({
  method,
  path,
  body: JSON.stringify(body),
  type: 'application/json',
})
