import { isIP, isIPv6 } from 'node:net'
import type { Env } from '@/lib/env'
import { appUrl } from './app-url'

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

/** A client with an IPv6 address has the 2^64 addresses of its network. */
export function networkOf(address: string | null): string {
  if (!address || !isIPv6(address)) return address ?? 'unknown'
  const [head = '', tail] = address.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length
  const groups = [...start, ...Array(Math.max(0, zeros)).fill('0'), ...end]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/**
 * Whether the browser states that a page of this app made the request. Required wherever a cookie
 * is the credential, since browsers attach cookies to requests of any page. A request without an
 * origin does not qualify: every browser sends at least one of the two headers.
 */
export function isSameOrigin(request: Request, settings: Pick<Env, 'APP_URL' | 'PORT'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  const { host, origin: normal } = new URL(origin)
  return normal === new URL(appUrl(settings)).origin || host === request.headers.get('host')
}

/**
 * Whether the browser states that a page of another site made the request; other clients don't
 * state it.
 */
export function isForeign(request: Request, settings: Pick<Env, 'APP_URL' | 'PORT'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  const says = site !== null || request.headers.has('origin')
  return says && site !== 'none' && !isSameOrigin(request, settings)
}

/**
 * Whether a script of a page of another origin made the request, whose browser names it. A session doesn't count then: that
 * page must not act by a cookie. Links from elsewhere name no origin.
 */
export const isFromOtherPage = (
  request: Request,
  settings: Pick<Env, 'APP_URL' | 'PORT'>,
): boolean => request.headers.has('origin') && !isSameOrigin(request, settings)

/** Methods that change nothing, and so need no proof of their origin. */
export const isSafeMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
