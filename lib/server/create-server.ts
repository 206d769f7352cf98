import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import type { Env } from '@/lib/env'
import { METHODS, methodNotAllowed } from '@/lib/http/route'
import { stopping } from '@/lib/stopping'
import { isPage, type PageSettings, pageAdmission } from './admit-page'
import { Connection, type Exchange } from './connection'
import { apiHeaders, transportHeaders } from './own-headers'
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
  if (hosts > 1) return 'The request has more than one Host header'
  return isHost(headers.host) ? null : 'The Host header has no host in it'
}

let lastHost = ''

/** Whether an address can be made with it; most requests have the one before. */
function isHost(host: string): boolean {
  if (host !== lastHost && host !== '' && !URL.canParse(`http://${host}`)) return false
  lastHost = host
  return true
}

const isKnown = (method: string): boolean => METHODS.some((known) => known === method)
const isApi = (target: string): boolean => /^\/(api|schemas)([/?]|$)/.test(target)

/**
 * The path and query of a request's target, which can be decoded. A path that can't is escaped, so
 * that it is not found: Next would respond with a 500 outside the envelope. Of an absolute address
 * (RFC 9112 §3.2.2) only its path and query count; `*` has none.
 */
export function readableTarget(target: string): string {
  const local = target.startsWith('/') ? target : pathOf(target)
  if (!local.includes('%')) return local
  const [path = '', ...query] = local.split('?')
  if (isDecodable(path)) return local
  return [path.replaceAll('%', '%25'), ...query].join('?')
}

const pathOf = (target: string): string => /^https?:\/\/[^/?]*(\/.*)$/i.exec(target)?.[1] ?? '/api'

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

type Fault = [status: number, error: string]

const FAULTS: Record<string, Fault> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large'],
  HPE_INVALID_METHOD: [400, 'The request is not valid HTTP: unknown method'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request arrived too slowly; send it again'],
}
const INVALID: Fault = [400, 'The request is not valid HTTP/1.1']

/**
 * Responds in the envelope to what is no request: invalid HTTP, CONNECT, and expectations other
 * than `100-continue`. `Upgrade` has no listener on purpose: Node then serves the request without
 * it, as clients that offer HTTP/2 (`h2c`) expect.
 */
function refuseProtocols(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else respondRaw(socket, ...(FAULTS[error.code ?? ''] ?? INVALID))
  })
  server.on('connect', (_, socket) => {
    socket.on('error', () => {})
    respondRaw(socket, 405, 'CONNECT is not allowed: this server is no proxy', { Allow: 'GET' })
  })
  server.on('checkExpectation', ({ socket }) => {
    respondRaw(socket, 417, 'Of the Expect header, only 100-continue is supported')
  })
}

/**
 * A client that reads nothing of its response for this long is disconnected, which frees its
 * memory.
 */
const STALL_MS = 60_000
/** At the end of the server, an active client sends its next request within this time. */
const LINGER_MS = 1_000
const SWEEP_MS = 250

export type ConnectionLimits = {
  maxConnections?: number
  maxOfAddress?: number
  stallMs?: number
  restMs?: number
}

/**
 * Has `serve` called for each request, one after another on a connection. Closes connections whose
 * clients neither send nor read, and refuses those beyond the limits, in total and per client
 * address. When the process stops, ends them without breaking a request.
 */
export function handleConnections(
  server: Server,
  serve: (exchange: Exchange) => void,
  { maxConnections, maxOfAddress = Infinity, stallMs = STALL_MS, restMs }: ConnectionLimits = {},
): void {
  const open = new Map<Socket, Connection>()
  const ofAddress = new Map<string, number>()
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  server.timeout = stallMs
  server.on('connection', (socket) => {
    if (countOf(socket, ofAddress) > maxOfAddress)
      respondRaw(socket, 503, TOO_MANY, { 'Retry-After': '1' })
    const connection = new Connection(socket, serve, restMs)
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    if (stopping().aborted) connection.end()
  })
  server.on('request', (request, response) => {
    open.get(request.socket)?.take({ request, response })
  })
  server.on('timeout', (socket: Socket) => {
    if (!open.get(socket)?.isOurTurn) socket.destroy()
  })
  drainWhenStopping(server, open)
}

const TOO_MANY = 'Too many connections from this address; use fewer, or try again in a moment'

/** The number of open connections of its address, including this one. */
function countOf(socket: Socket, ofAddress: Map<string, number>): number {
  const address = socket.remoteAddress ?? ''
  const count = (ofAddress.get(address) ?? 0) + 1
  ofAddress.set(address, count)
  socket.once('close', () => {
    const left = (ofAddress.get(address) ?? 1) - 1
    if (left > 0) ofAddress.set(address, left)
    else ofAddress.delete(address)
  })
  return count
}

/**
 * When the process stops, every response has `Connection: close`, and connections that stay idle
 * are closed a little later. Node's own `server.close()` closes idle connections immediately, even
 * if a request is on its way, and keeps active ones for as long as their clients use them.
 */
function drainWhenStopping(server: Server, open: Map<Socket, Connection>): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {}
  const drain = () => {
    for (const connection of open.values()) connection.end()
    setTimeout(() => {
      closeIdle()
      setInterval(closeIdle, SWEEP_MS).unref()
    }, LINGER_MS).unref()
  }
  if (stopping().aborted) drain()
  else stopping().addEventListener('abort', drain, { once: true })
}
