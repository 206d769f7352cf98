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

const shared = globalThis as typeof globalThis & { __engineConnections?: boolean }

/** Gives up connections to any HTTP server of this process whose clients neither send nor read. */
export function limitConnections({ stallMs = STALL_MS, restMs = REST_MS } = {}): void {
  if (shared.__engineConnections) return
  shared.__engineConnections = true
  const servers = new WeakSet<Server>()
  const answers = new WeakMap<Socket, ServerResponse>()
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    const { server } = socket
    if (!(server instanceof Server)) return
    socket.setTimeout(stallMs)
    if (servers.has(server)) return
    servers.add(server)
    setTimeouts(server, stallMs)
    server.on('timeout', (quiet: Socket) => {
      if (!isAwaited(quiet, answers.get(quiet))) quiet.destroy()
    })
  })
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    answers.set(request.socket, response)
    response.once('finish', () => cutOffRest(request, restMs))
  })
}

function setTimeouts(server: Server, stallMs: number): void {
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  server.timeout = stallMs
}

/** Whether it is our turn: an answer is being made, and nothing of it waits for the client. */
const isAwaited = (socket: Socket, answer: ServerResponse | undefined): boolean =>
  answer !== undefined && !answer.writableFinished && socket.writableLength === 0

function cutOffRest(request: IncomingMessage, restMs: number): void {
  if (request.complete) return
  const { socket } = request
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, restMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
