import type { Deps } from '@/lib/deps'
import 'server-only'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { bootstrap } from '@/lib/bootstrap/bootstrap'
import { reasonOf } from '@/lib/db/errors'
import { type Env, env } from '@/lib/env'
import { messageOf } from '@/lib/errors'
import { prepareRequests } from '@/lib/http/prepare-requests'
import { createLog } from '@/lib/log'
import { startMailWorker } from '@/lib/mail/mail-worker'
import { installsEnd, stopInstalls } from '@/lib/plugins/running-installs'
import { getDeps, stopRuntime } from '@/lib/runtime'
import { beginStopping, stopping } from '@/lib/stopping'
import { waitForDatabase } from '@/lib/wait-for-database'
import { measureLoopDelay } from './metrics/loop-delay'

/**
 * Opens everything before the first request; a server that can't start logs the reason in one line
 * and exits. Background jobs begin afterwards and delay no request.
 */
export async function startServer(): Promise<void> {
  closeOnSignals()
  try {
    const settings = env()
    prepareRequests(settings) // first: requests arrive while the rest starts
    measureLoopDelay()
    const deps = await openRuntime(settings)
    await bootstrap(deps)
    await startMailWorker(deps, stopping())
    void startBackgroundJobs(deps)
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${reasonOf(error)}\n`)
    process.exit(1)
  }
}

function openRuntime(settings: Env): Promise<Deps> {
  const { DATABASE_WAIT_MS, LOG_LEVEL } = settings
  return waitForDatabase(getDeps, DATABASE_WAIT_MS, createLog(LOG_LEVEL))
}

/**
 * Requests that are still running after this are cut off: a supervisor would kill the process soon.
 */
const GRACE_MS = 10_000
/** Installs that are still running after this are stopped, which their history records. */
const INSTALL_GRACE_MS = 7_000

/**
 * On SIGTERM and SIGINT Next stops listening, lets running requests end and then calls
 * `process.exit` with 143 or 130. The database must be closed after those requests and installs and
 * before the exit, so it is closed in that call; the exit code is 0.
 */
function closeOnSignals(): void {
  const exit = process.exit.bind(process)
  let closing = false
  const close = () => {
    if (closing) return
    closing = true
    installsEnd()
      .then(stopRuntime)
      .then(
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
      stopInstalls(INSTALL_GRACE_MS)
      setTimeout(close, GRACE_MS).unref()
    })
  }
}
