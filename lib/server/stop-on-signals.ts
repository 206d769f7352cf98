import 'server-only'
import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { messageOf } from '@/lib/errors'
import { installsEnd, stopInstalls } from '@/lib/plugins/running-installs'
import { stopRuntime } from '@/lib/runtime'
import { beginStopping } from '@/lib/stopping'

/**
 * Requests that are still running after this are cut off: a supervisor would kill the process soon.
 */
const GRACE_MS = 9_000
/** Installs that are still running after this are stopped, which their history records. */
const INSTALL_GRACE_MS = 7_000

/** On SIGTERM and SIGINT stops the server and exits with 0; a second signal has no effect. */
export function stopOnSignals(server: Server): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    void stopServer(server)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  if (cluster.isWorker) process.on('SIGHUP', () => {}) // that of a terminal is for all of its processes
}

/**
 * Stops listening, lets running requests and installs end, closes the database and exits.
 */
async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
    setTimeout(resolve, GRACE_MS).unref()
  })
  beginStopping()
  stopInstalls(INSTALL_GRACE_MS)
  await closed
  try {
    await installsEnd()
    await stopRuntime()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`Engine did not close its database: ${messageOf(error)}\n`)
    process.exit(1)
  }
}
