import 'server-only'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { bootstrap } from '@/lib/bootstrap/bootstrap'
import { env } from '@/lib/env'
import { messageOf } from '@/lib/errors'
import { prepareRequests } from '@/lib/http/prepare-requests'
import { startMailWorker } from '@/lib/mail/mail-worker'
import { getDeps, stopRuntime } from '@/lib/runtime'
import { beginStopping, stopping } from '@/lib/stopping'

/** Opens everything before the first request; a server that can't start says why in one line and ends. */
export async function startServer(): Promise<void> {
  closeOnSignals()
  try {
    prepareRequests(env()) // first: requests come in while the rest starts
    const deps = await getDeps()
    await bootstrap(deps)
    await startBackgroundJobs(deps)
    await startMailWorker(deps, stopping())
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${messageOf(error)}\n`)
    process.exit(1)
  }
}

/** Requests that take longer than this to end are cut off: a supervisor would kill us soon after. */
const GRACE_MS = 20_000

/**
 * On SIGTERM and SIGINT Next stops listening, lets running requests end and then calls
 * `process.exit` with 143 or 130. The database must outlive those requests and be closed before the
 * exit, so that call is where it happens; the exit code is 0.
 */
function closeOnSignals(): void {
  const exit = process.exit.bind(process)
  let closing = false
  const close = () => {
    if (closing) return
    closing = true
    stopRuntime().then(
      () => exit(0),
      (error) => {
        process.stderr.write(`Engine did not close its database: ${messageOf(error)}\n`)
        exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      process.exit = close as typeof process.exit
      beginStopping()
      setTimeout(close, GRACE_MS).unref()
    })
  }
}
