import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** From the first byte of a request to the end of its headers. */
const HEADERS_MS = 20_000
/**
 * From the first byte of a request to its last: room for the slowest upload that `BodyPace` admits.
 */
const REQUEST_MS = 2 * 60 * 60_000
/**
 * A client that reads nothing of its response for this long is disconnected, which frees its
 * memory.
 */
const STALL_MS = 60_000
/** Time to read what still arrives after the response: a reset could lose the response. */
const REST_MS = 60_000

type Exchange = { request: IncomingMessage; response: ServerResponse }

const shared = globalThis as typeof globalThis & { __engineConnections?: boolean }

/**
 * Closes connections to any HTTP server of this process whose clients neither send nor read, and
 * refuses connections beyond the limits, in total and per client address.
 */
export function limitConnections({
  stallMs = STALL_MS,
  restMs = REST_MS,
  maxConnections = Infinity,
  maxOfAddress = Infinity,
} = {}): void {
  if (shared.__engineConnections) return
  shared.__engineConnections = true
  const servers = new WeakSet<Server>()
  const exchanges = new WeakMap<Socket, Exchange>()
  const ofAddress = new Map<string, number>()
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    const { server } = socket
    if (!(server instanceof Server)) return
    if (countOf(socket, ofAddress) > maxOfAddress) {
      refuse(socket)
      return
    }
    socket.setTimeout(stallMs)
    if (servers.has(server)) return
    servers.add(server)
    setTimeouts(server, stallMs)
    if (maxConnections < Infinity) server.maxConnections = maxConnections
    server.on('timeout', (quiet: Socket) => {
      if (!isOurTurn(quiet, exchanges.get(quiet))) quiet.destroy()
    })
  })
  subscribe('http.server.request.start', (message) => {
    const exchange = message as Exchange
    const { request, response } = exchange
    exchanges.set(request.socket, exchange)
    response.once('finish', () => cutOffRest(request, restMs))
  })
}

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

/** In the envelope of all errors. */
function refuse(socket: Socket): void {
  const body = JSON.stringify({
    data: [],
    timestamp: Date.now(),
    code: 503,
    status: 'SERVICE_UNAVAILABLE',
    meta: {},
    error: 'Too many connections from this address; use fewer, or try again in a moment',
  })
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Retry-After: 1',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function setTimeouts(server: Server, stallMs: number): void {
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  server.timeout = stallMs
}

/**
 * Whether an idle connection waits for the server: a response is being prepared, and the client has
 * read all that was sent of it. The API limits the time of bodies itself; other requests need none.
 */
function isOurTurn(socket: Socket, exchange: Exchange | undefined): boolean {
  if (!exchange || exchange.response.writableFinished || socket.writableLength > 0) return false
  return exchange.request.complete || exchange.request.url?.startsWith('/api/') === true
}

function cutOffRest(request: IncomingMessage, restMs: number): void {
  if (request.complete) return
  const { socket } = request
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, restMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
