import 'server-only'
import type { Server } from 'node:http'
import { messageOf } from '@/lib/errors'
import { installsEnd, stopInstalls } from '@/lib/plugins/running-installs'
import { stopRuntime } from '@/lib/runtime'
import { beginStopping } from '@/lib/stopping'

/**
 * Requests that are still running after this are cut off: a supervisor would kill the process soon.
 */
const GRACE_MS = 10_000
/** Installs that are still running after this are stopped, which their history records. */
const INSTALL_GRACE_MS = 7_000

/** On SIGTERM and SIGINT stops the server and exits with 0. */
export function stopOnSignals(server: Server): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stopServer(server))
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
