import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** From the first byte of a request to the end of its headers. */
const HEADERS_MS = 20_000
/** From the first byte of a request to its last: room for the slowest upload that `BodyPace` admits. */
const REQUEST_MS = 2 * 60 * 60_000
/** A client that takes nothing of its answer for so long is given up, and what was kept for it freed. */
const STALL_MS = 60_000
/** For what is still on its way after the answer: the answer might get lost with the connection. */
const REST_MS = 60_000

type Exchange = { request: IncomingMessage; response: ServerResponse }

const shared = globalThis as typeof globalThis & { __engineConnections?: boolean }

/** Gives up connections to any HTTP server of this process whose clients neither send nor read. */
export function limitConnections({ stallMs = STALL_MS, restMs = REST_MS } = {}): void {
  if (shared.__engineConnections) return
  shared.__engineConnections = true
  const servers = new WeakSet<Server>()
  const exchanges = new WeakMap<Socket, Exchange>()
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    const { server } = socket
    if (!(server instanceof Server)) return
    socket.setTimeout(stallMs)
    if (servers.has(server)) return
    servers.add(server)
    setTimeouts(server, stallMs)
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

function setTimeouts(server: Server, stallMs: number): void {
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  server.timeout = stallMs
}

/**
 * Whether a quiet connection waits for us: an answer is being made, and none of it is still to be taken
 * by the client. The API bounds the time of bodies itself; nothing else has a use for one.
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
