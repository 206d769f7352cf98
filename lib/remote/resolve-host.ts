import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AppError } from '@/lib/errors'

/**
 * The addresses of the host of a URL, all of which are allowed: connect to these only, since another
 * question may get another answer. Throws `invalid_input` when one of them is not allowed, and
 * `upstream_failed` when there are none.
 */
export async function resolveHost(
  { hostname }: URL,
  isAllowed: (address: string) => boolean,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await ask(host)
  if (found.length === 0 || !found.every(({ address }) => isAllowed(address)))
    throw refused('Is not on the public internet')
  return found
}

function ask(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true }).catch((cause: unknown) => {
    const message = 'The address could not be loaded: its host name is unknown'
    throw new AppError('upstream_failed', message, { cause })
  })
}

/** What is routed on the internet of IPv6; the rest is private, special or not assigned. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to a machine on the internet. Not so: private, shared (carrier-grade
 * NAT), loopback, link-local, multicast and reserved ranges, documentation and benchmarks, and
 * everything of IPv6 that leads to an address of IPv4 (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6)
}

const MAX_LENGTH = 2000
const WEB_PORTS = [80, 443]
/** Below are the ports of mail, databases and other services that a web server is not on. */
const FIRST_FREE_PORT = 1024

/** Parses the address of a file that a user gave. Throws `invalid_input`. */
export function readAddress(text: string, schemes = 'https:// or http://'): URL {
  if (text.length > MAX_LENGTH) throw refused(`Has more than ${MAX_LENGTH} characters`)
  if (!URL.canParse(text)) throw refused('Is no address; write it as https://example.com/image.png')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`Must begin with ${schemes}`)
  if (url.username || url.password)
    throw refused('Must not contain a user name or password; choose an address without them')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (port < FIRST_FREE_PORT && !WEB_PORTS.includes(port))
    throw refused(`Port ${port} is not one of web servers`)
  return url
}

export const refused = (error: string) =>
  new AppError('invalid_input', `url: ${error}`, { validations: [{ field: 'url', error }] })
