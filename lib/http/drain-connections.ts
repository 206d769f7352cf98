import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import { stopping } from '@/lib/stopping'

/** An active client sends its next request within this time, and gets its response. */
const LINGER_MS = 1_000
const SWEEP_MS = 250

const open = new Set<ServerResponse>()
const servers = new Map<Server, () => void>()

/**
 * Ends a server's keep-alive connections without breaking a request when the process stops: every
 * response has `Connection: close` then, and connections that stay idle are closed a little later.
 * Node's own `server.close()` closes idle connections immediately, even if a request is on its way,
 * and keeps active ones for as long as their clients use them.
 */
export function drainWhenStopping(server: Server, response: ServerResponse): void {
  if (!servers.has(server)) adopt(server)
  open.add(response)
  response.once('close', () => open.delete(response))
  if (stopping().aborted) sayClose(response)
}

function adopt(server: Server): void {
  servers.set(server, server.closeIdleConnections.bind(server))
  server.closeIdleConnections = () => {}
  if (servers.size > 1) return
  stopping().addEventListener('abort', drain, { once: true })
  if (stopping().aborted) drain()
}

function drain(): void {
  for (const response of open) sayClose(response)
  const sweep = () => {
    for (const closeIdle of servers.values()) closeIdle()
  }
  setTimeout(() => {
    sweep()
    setInterval(sweep, SWEEP_MS).unref()
  }, LINGER_MS).unref()
}

function sayClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
