import type { IncomingHttpHeaders } from 'node:http'

/** A file of another server while it arrives. */
export type RemoteFile = {
  /** The last part of its address, decoded; may be empty. For display only. */
  name: string
  /** As the server states it; null when it does not. */
  bytes: number | null
  /** Its content; throws as `open` does. */
  body: AsyncIterable<Uint8Array>
  /** Closes the connection. Call it whatever happens. */
  close: () => void
}

export type Opening = {
  /** The header `Accept`; images when left out. */
  accept?: string
  /** For all of it, from the first name that is resolved to the last byte; 20 seconds when left out. */
  timeoutMs?: number
  /** Over TLS only, but for these `host:port`, which may also be private; when left out, over HTTP too. */
  secureBut?: readonly string[]
}

export type Outgoing = {
  headers: Record<string, string>
  body: string
  /** Asked last before the receiver is connected to: false for sending nothing. */
  begins?: () => Promise<boolean>
  /** Called with the status, before what comes after it is read. */
  answered?: (status: number) => void
}

/** What a receiver answered; of its body the first 4 KiB. */
export type RemoteResponse = { status: number; retryAfter: string | null; body: string }

/** A request to a server that an administrator named. */
export type Question = {
  method: string
  headers: Record<string, string>
  body?: Uint8Array | undefined
  /** A longer answer is refused. */
  maxBytes: number
  /** From the name that is resolved to the last byte. */
  timeoutMs: number
  signal: AbortSignal
}
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Servers on the internet. */
export interface Remote {
  /**
   * Starts to load the file at `address`, which a user gave; redirects are checked in the same way. Throws `invalid_input` for an address
   * that must not be loaded, `upstream_failed` and `upstream_timeout` when it can't be,
   * and `unavailable` while too many files are loaded. No error says what was received.
   */
  open(address: string, opening?: Opening): Promise<RemoteFile>

  /** Throws `invalid_input` for an address that nothing is sent to, as far as its host is known now. */
  checkReceiver(address: string): Promise<void>

  /**
   * Sends a POST to `address`, within 15 seconds and without following redirects; null where `begins` is false. Throws `invalid_input` for
   * an address that nothing is sent to, `upstream_failed` and `upstream_timeout` without a response, and as `begins` does.
   */
  post(address: string, request: Outgoing): Promise<RemoteResponse | null>

  /**
   * Sends any request to `address`, without following redirects, and returns the whole answer. Throws `invalid_input` for an address that nothing
   * is sent to, `upstream_failed` and `upstream_timeout` without an answer, and `upstream_failed` for one that is too long.
   */
  ask(address: string, question: Question): Promise<Answer>
}
