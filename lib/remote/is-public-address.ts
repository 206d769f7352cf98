import ipaddr from 'ipaddr.js'

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
