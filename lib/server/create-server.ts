import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import type { Env } from '@/lib/env'
import { METHODS, methodNotAllowed } from '@/lib/http/route'
import { isPage, type PageSettings, pageAdmission } from './admit-page'
import type { Exchange } from './connection'
import { type ConnectionLimits, handleConnections } from './connections'
import { apiHeaders, transportHeaders } from './own-headers'
import { readableTarget } from './readable-target'
import { refuseProtocols } from './refuse-protocols'
import { respondRaw } from './respond-raw'
import { sendResponse } from './send-response'
import { setRequestHeader } from './set-request-header'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void
type Settings = PageSettings &
  Pick<Env, 'APP_URL' | 'PORT' | 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS'>

const OPTIONS = {
  /** From the first byte of a request to the end of its headers. */
  headersTimeout: 20_000,
  /** To its last byte: room for the slowest upload that `BodyPace` admits. */
  requestTimeout: 2 * 60 * 60_000,
  connectionsCheckingInterval: 5_000,
  /** Longer than load balancers keep theirs (60 s), so that they never use one that just closed. */
  keepAliveTimeout: 65_000,
  /** Refused in the envelope instead. */
  requireHostHeader: false,
}
/**
 * The HTTP server: `/api` and `/schemas` are served by handlers of `Request`s, all else by Next's. Both get the
 * socket's address in a header, whatever a client sent by its name. Under HTTPS all responses make
 * browsers use HTTPS only. Pages have to be admitted.
 */
export function createEngineServer(
  settings: Settings,
  { serveApi, servePage }: { serveApi: Serve; servePage: Serve },
  limits: ConnectionLimits = connectionLimits(settings),
): Server {
  const server = createServer(OPTIONS)
  const admitPage = pageAdmission(settings)
  const ofApi = apiHeaders(settings)
  const ofPages = Object.entries(transportHeaders(settings))
  const serve = (exchange: Exchange) => {
    const { request, response } = exchange
    const { method = '' } = request
    const fault = faultOfHost(request)
    if (fault) return respondRaw(request.socket, 400, fault)
    // Next responds to TRACE with a 500 and to PROPFIND with an empty 400.
    if (!isKnown(method))
      return sendResponse(response, methodNotAllowed(method, METHODS.join(', ')), ofApi)
    setRequestHeader(request, PEER_HEADER, request.socket.remoteAddress ?? '')
    request.url = readableTarget(request.url ?? '/')
    if (isApi(request.url)) return serveApi(request, response)
    for (const [name, value] of ofPages) response.setHeader(name, value)
    if (isPage(request.url)) void admitPage(exchange, () => servePage(request, response))
    else servePage(request, response)
  }
  handleConnections(server, serve, limits)
  refuseProtocols(server)
  return server
}

const connectionLimits = (settings: Settings): ConnectionLimits => ({
  maxConnections: settings.MAX_CONNECTIONS,
  // Behind a proxy all connections have its address.
  maxOfAddress: settings.TRUST_PROXY > 0 ? Infinity : settings.MAX_CONNECTIONS_PER_ADDRESS,
})

/**
 * HTTP/1.1 requires one, and addresses can't be made without. Of several, a proxy may have obeyed another one than
 * this server would (RFC 9112 §3.2).
 */
function faultOfHost({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? 'The request has no Host header' : null
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1 ? 'The request has more than one Host header' : null
}

const isKnown = (method: string): boolean => METHODS.some((known) => known === method)
const isApi = (target: string): boolean => /^\/(api|schemas)([/?]|$)/.test(target)
