import type { Env } from '@/lib/env'
import { appUrl } from './app-url'

/**
 * Whether a browser says that our own pages made this request. Needed wherever a cookie is the
 * credential, since browsers attach cookies to requests of any page. A request that says nothing of
 * where it comes from is not ours: every browser sends at least one of the two headers.
 */
export function isSameOrigin(request: Request, settings: Pick<Env, 'APP_URL' | 'PORT'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  const { host, origin: normal } = new URL(origin)
  return normal === new URL(appUrl(settings)).origin || host === request.headers.get('host')
}

/** Whether a browser says that another site's page made this request; other clients say nothing. */
export function isForeign(request: Request, settings: Pick<Env, 'APP_URL' | 'PORT'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  const says = site !== null || request.headers.has('origin')
  return says && site !== 'none' && !isSameOrigin(request, settings)
}

/** Methods that change nothing, and so need no proof of where they come from. */
export const isSafeMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
