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

/** Methods that change nothing, and so need no proof of where they come from. */
export const isSafeMethod = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
