import { hostAndPort } from './host-and-port'

type Settings = { PLUGIN_INDEX_URL?: string; OUTGOING_ALLOWED_HOSTS: string[] }

/** An index says what is installed, so it comes over TLS, but from this machine and hosts that are named. */
export function pluginIndexFault({
  PLUGIN_INDEX_URL: address,
  OUTGOING_ALLOWED_HOSTS: allowed,
}: Settings): string[] {
  if (address === undefined) return []
  const url = new URL(address)
  return url.protocol === 'https:' || privateHosts(url, allowed).length > 0 ? [] : [NEEDS_TLS]
}

/** What the index and its archives may come from besides the internet: the host of the index, if it is this machine or named. */
export function privateHosts(url: URL, allowed: readonly string[]): string[] {
  const host = hostAndPort(url)
  return LOOPBACK.test(url.hostname) || allowed.includes(host) ? [host] : []
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const NEEDS_TLS =
  'PLUGIN_INDEX_URL: must begin with https://, unless it is on this machine or its host and port are in OUTGOING_ALLOWED_HOSTS'
