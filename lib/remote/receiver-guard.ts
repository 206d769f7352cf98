import type { LookupAddress } from 'node:dns'
import { hostAndPort } from '@/lib/env/host-and-port'
import { isPublicAddress, readAddress, refused, resolveHost } from './resolve-host'

/**
 * Which addresses are connected to where content is trusted or secret: over TLS and on the public internet, but for these
 * `host:port`, which may be private and need none.
 */
export function receiverGuard(allowedHosts: readonly string[]) {
  const isAllowedHost = (url: URL) => allowedHosts.includes(hostAndPort(url))
  return {
    /** Throws `invalid_input`. */
    read: (address: string): URL => {
      const url = readAddress(address, 'https://')
      if (url.protocol !== 'https:' && !isAllowedHost(url))
        throw refused('Must begin with https://, or be a host of OUTGOING_ALLOWED_HOSTS')
      return url
    },
    /** Throws as `resolveHost`. */
    resolve: (url: URL): Promise<LookupAddress[]> =>
      resolveHost(url, isAllowedHost(url) ? () => true : isPublicAddress),
  }
}
