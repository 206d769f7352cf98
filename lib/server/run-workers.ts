import { appUrl } from '@/lib/auth/app-url'
import type { Env } from '@/lib/env'
import { serveClusterMetrics } from '@/lib/metrics/cluster-metrics'
import { Workers } from './workers'

/**
 * Serves by `WEB_CONCURRENCY` processes. SIGHUP replaces them one after another, SIGTERM and SIGINT
 * end them. Throws when they can't start.
 */
export async function runWorkers(settings: Env): Promise<void> {
  const { WEB_CONCURRENCY: count, DATABASE_URL } = settings
  if (!DATABASE_URL) throw new Error(NEEDS_POSTGRES)
  const workers = new Workers(shareOf(settings))
  let ending = false
  const stop = () => {
    if (ending) return
    ending = true
    void workers.stop().then((code) => process.exit(code))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  process.on('SIGHUP', () => void workers.restart())
  serveClusterMetrics()
  await workers.start(count)
  process.stdout.write(`Engine is ready at ${appUrl(settings)} in ${count} processes\n`)
}

const NEEDS_POSTGRES =
  'WEB_CONCURRENCY above 1 needs PostgreSQL: set DATABASE_URL. One process alone can use the embedded database'

/** Limits of connections hold for all workers together; each gets an equal share. */
function shareOf(settings: Env): Record<string, string> {
  const share = (all: number) => String(Math.ceil(all / settings.WEB_CONCURRENCY))
  return {
    MAX_CONNECTIONS: share(settings.MAX_CONNECTIONS),
    MAX_CONNECTIONS_PER_ADDRESS: share(settings.MAX_CONNECTIONS_PER_ADDRESS),
  }
}
