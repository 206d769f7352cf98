import { isIP } from 'node:net'

/** Set by the server itself from the socket; whatever a client sends by this name is overwritten. */
export const PEER_HEADER = 'x-engine-peer'

/**
 * The caller's IP address, or null when unknown. Behind `trustProxy` reverse proxies it is the entry
 * of `X-Forwarded-For` that the outermost of them wrote; without any, that header is not believed.
 */
export function callerAddress(headers: Headers, trustProxy: number): string | null {
  const peer = headers.get(PEER_HEADER)
  if (trustProxy === 0) return valid(peer)
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  return valid(forwarded.at(-trustProxy)) ?? valid(peer)
}

// `::ffff:192.0.2.1` is how a dual-stack socket shows an IPv4 address.
function valid(address: string | null | undefined): string | null {
  const text = address?.trim().replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  return isIP(text) ? text.toLowerCase() : null
}
