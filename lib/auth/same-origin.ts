import type { Env } from '@/lib/env'
import { appUrl } from './app-url'

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
