import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { PEER_HEADER } from '@/lib/auth/caller-address'

const shared = globalThis as typeof globalThis & { __enginePeer?: boolean }

/**
 * Makes every HTTP server of this process tell handlers the socket's address: a `Request` has no
 * socket, and Next keeps whatever X-Forwarded-For a client sends. Runs before any handler sees the
 * request, hence the client's own header of that name never gets through.
 */
export function exposePeerAddress(): void {
  if (shared.__enginePeer) return
  shared.__enginePeer = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? ''
  })
}
