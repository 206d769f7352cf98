import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { startUploadSweeps } from '@/lib/background-jobs'
import { reasonOf } from '@/lib/db/errors'
import { env } from '@/lib/env'
import { measureLoopDelay } from '@/lib/metrics/loop-delay'
import { openEngine, startWork } from './open-engine'
import { setRequestHeader } from './set-request-header'

const shared = globalThis as typeof globalThis & { __engineDevelopment?: boolean }

/**
 * Opens everything for `next dev`, whose server is Next's own: handlers get the socket's address in
 * a header there too, and nothing else of what our server does.
 */
export async function startDevelopment(): Promise<void> {
  if (shared.__engineDevelopment) return
  shared.__engineDevelopment = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    setRequestHeader(request, PEER_HEADER, request.socket.remoteAddress ?? '')
  })
  try {
    const deps = await openEngine(env())
    measureLoopDelay()
    void startUploadSweeps(deps)
    await startWork(deps)
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${reasonOf(error)}\n`)
    process.exit(1)
  }
}
