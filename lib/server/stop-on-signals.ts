import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { messageOf } from '@/lib/errors'
import { installsEnd, stopInstalls } from '@/lib/installs/running-installs'
import { stopRuntime } from '@/lib/runtime'
import { beginStopping } from '@/lib/stopping'
import { RETIRE } from './workers'

/**
 * Requests that are still running after this are cut off: a supervisor would kill the process soon.
 */
const GRACE_MS = 9_000
/** Installs that are still running after this are stopped, which their history records. */
const INSTALL_GRACE_MS = 7_000

/** A replaced worker whose requests and installs take longer is stopped as by a signal. */
const RETIREMENT_MS = 600_000

/**
 * On SIGTERM and SIGINT stops the server and exits with 0; a second signal has no effect. A worker
 * that is replaced does the same as soon as nobody needs it. SIGHUP does the same to a single process, since none replaces it.
 */
export function stopOnSignals(server: Server): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    void stopServer(server)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  // That of a terminal reaches workers, too, though it is meant for the process that started them.
  process.on('SIGHUP', cluster.isWorker ? () => {} : stop)
  if (!cluster.isWorker) return
  process.on('message', (message) => {
    if (message === RETIRE) retire(stop)
  })
}

/**
 * Ends every connection with its next response, and idle ones. When all have ended, or the process
 * that started this one has, the channel to it closes.
 */
function retire(stop: () => void): void {
  beginStopping()
  process.once('disconnect', () => void installsEnd().then(stop))
  setTimeout(stop, RETIREMENT_MS)
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
