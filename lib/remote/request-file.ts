import 'server-only'
import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'

/** Nothing of the caller is sent, and no connection is kept. */
const HEADERS = { Accept: 'image/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Engine' }

/** Requests a URL from one of `addresses`, whatever its host name means by now. */
export function requestFile(
  url: URL,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  const options = { agent: false, headers: HEADERS, lookup: pinned(addresses), signal } as const
  return new Promise((resolve, reject) => {
    const arrived = (response: http.IncomingMessage) => {
      // A connection that is closed early is an error, which who reads the content gets.
      response.on('error', () => {})
      resolve(response)
    }
    request(url, options, arrived).on('error', reject).end()
  })
}

const pinned =
  (addresses: LookupAddress[]): LookupFunction =>
  (_, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
