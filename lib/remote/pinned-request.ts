import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'

type Options = {
  headers: Record<string, string>
  signal: AbortSignal
  /** POST with a body, otherwise GET. */
  method?: string
  body?: string | Uint8Array | undefined
}

/** Requests a URL from one of `addresses`, whatever its host name means by now. No connection is kept. */
export function pinnedRequest(
  url: URL,
  addresses: LookupAddress[],
  { body, method = body === undefined ? 'GET' : 'POST', ...rest }: Options,
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  const options = { agent: false, method, lookup: pinned(addresses), ...rest } as const
  return new Promise((resolve, reject) => {
    const arrived = (response: http.IncomingMessage) => {
      // A connection that is closed early is an error, which who reads the content gets.
      response.on('error', () => {})
      resolve(response)
    }
    request(url, options, arrived)
      .on('error', reject)
      .on('close', () => reject(new NoResponse('The connection was closed without a response')))
      .end(body)
  })
}

/** Node reports none where a server changes to another protocol, and the time limit of a request ends with its connection. */
class NoResponse extends Error {
  readonly code = 'ECONNRESET'
}

const pinned =
  (addresses: LookupAddress[]): LookupFunction =>
  (_, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }

/** A question to a name server can't be withdrawn. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
