import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server } from 'node:http'
import { PEER_HEADER } from '@/lib/auth/caller-address'
import { usesHttps } from '@/lib/auth/session-cookie'
import type { Env } from '@/lib/env'
import { type Exchange, isPage, type PageSettings, pageAdmission } from './admit-page'
import { drainWhenStopping } from './drain-connections'
import { limitConnections } from './limit-connections'
import { METHODS } from './methods'
import { oneAtATime } from './one-at-a-time'

/** The method of a request that no handler can receive; only this module sets it. */
export const REFUSED_METHOD_HEADER = 'x-engine-refused-method'

type Start = Exchange & { server: Server }
type Settings = PageSettings &
  Pick<Env, 'APP_URL' | 'PORT' | 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS'>

const shared = globalThis as typeof globalThis & { __engineRequests?: boolean }
/**
 * A year; without `includeSubDomains`, since other hosts may not be under the operator's control.
 */
const TRANSPORT_SECURITY = 'max-age=31536000'

/**
 * Prepares every request to any HTTP server of this process before a handler sees it. Handlers get
 * the socket's address in a header: a `Request` has no socket, and Next keeps whatever
 * X-Forwarded-For a client sends; a header of that name from the client is overwritten. Under HTTPS
 * all responses, files and redirects too, make browsers use HTTPS only. Connections are limited:
 * the requests of one run one after another, and pages have to be admitted.
 */
export function prepareRequests(settings: Settings): void {
  if (shared.__engineRequests) return
  shared.__engineRequests = true
  limitConnections({
    maxConnections: settings.MAX_CONNECTIONS,
    // Behind a proxy all connections have its address.
    maxOfAddress: settings.TRUST_PROXY > 0 ? Infinity : settings.MAX_CONNECTIONS_PER_ADDRESS,
  })
  const admitPage = pageAdmission(settings)
  const serve: Serve = (exchange, handle) => {
    if (isPage(exchange.request.url ?? '/')) void admitPage(exchange, handle)
    else handle()
  }
  const servers = new WeakSet<Server>()
  const isSecure = usesHttps(settings)
  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as Start
    if (!servers.has(server)) holdRequests(server, serve)
    servers.add(server)
    drainWhenStopping(server, response)
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? ''
    request.url = readablePath(request.url ?? '/')
    refuseUnknownMethod(request)
    if (isSecure) response.setHeader('Strict-Transport-Security', TRANSPORT_SECURITY)
  })
}

type Serve = (exchange: Exchange, handle: () => void) => void

/**
 * Calls `serve` instead of the server's listeners, when it is the request's turn on its connection.
 */
function holdRequests(server: Server, serve: Serve): void {
  const emit = server.emit.bind(server) as (...all: unknown[]) => boolean
  const held = (event: string, ...rest: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...rest)
    const [request, response] = rest as [Exchange['request'], Exchange['response']]
    const run = () => serve({ request, response }, () => emit(event, request, response))
    oneAtATime(request.socket, { response, run })
    return true
  }
  server.emit = held as Server['emit']
}

/**
 * Next responds to TRACE with a 500 and to PROPFIND with an empty 400. Such a request goes to the
 * handler of unknown paths instead, which responds with an error in the envelope.
 */
function refuseUnknownMethod(request: IncomingMessage): void {
  const { method = 'GET', headers } = request
  delete headers[REFUSED_METHOD_HEADER]
  if (METHODS.some((known) => known === method)) return
  headers[REFUSED_METHOD_HEADER] = method
  request.method = 'GET'
  request.url = '/api'
}

/**
 * A target whose path can be decoded. A path that can't is escaped, so that it is not found: Next
 * would respond with a 500 outside the envelope.
 */
export function readablePath(target: string): string {
  if (!target.includes('%')) return target
  const [path = '', ...query] = target.split('?')
  if (isDecodable(path)) return target
  return [path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
