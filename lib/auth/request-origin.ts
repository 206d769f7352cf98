import { isIP } from 'node:net'
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

/** Methods that change nothing, and so need no proof of their origin. */
export const isSafeMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
