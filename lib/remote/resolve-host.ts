import 'server-only'
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '@/lib/errors'
import { refused } from './read-address'

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
