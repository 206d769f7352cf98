import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { stopping } from '@/lib/stopping'
import { Connection, type Exchange } from './connection'
import { respondRaw } from './respond-raw'

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
