import { appUrl } from '@/lib/auth/app-url'
import { actAs } from '@/lib/auth/own-requests'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { EngineClient } from '@/lib/promotion/engine-client'
import { findOwnRoute } from '@/lib/servers/own-routes'
import { responseClient } from './response-client'

/** This server, by its own handlers, with the rights of `actor`. */
export function ownClient(
  { settings }: Pick<Deps, 'settings'>,
  actor: Actor,
  signal: AbortSignal,
): EngineClient {
  const base = appUrl(settings)
  return responseClient('This server', signal, async (path, { method = 'GET', query, body }) => {
    signal.throwIfAborted()
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, value)
    const headers = new Headers({ origin: url.origin })
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const request = new Request(url, { method, headers, body })
    actAs(request, actor)
    const route = findOwnRoute(url.pathname)
    const handler = route?.handlers[method]
    if (!route || !handler) throw new Error(`${method} ${path} is not among the own routes`)
    const response = await handler(request, { params: Promise.resolve(route.params) })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes }
  })
}
