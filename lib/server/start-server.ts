import cluster from 'node:cluster'
import { reasonOf } from '@/lib/db/errors'
import { env } from '@/lib/env'
import type { Routes } from '@/lib/openapi/api-document'

/**
 * Starts the production server in this process, or in `WEB_CONCURRENCY` others. One that can't
 * start writes the reason in one line and exits.
 */
export async function startServer(loadRoutes: () => Promise<Routes>): Promise<void> {
  try {
    const settings = env()
    if (cluster.isPrimary && settings.WEB_CONCURRENCY > 1) {
      const { runWorkers } = await import('./run-workers')
      await runWorkers(settings)
    } else {
      const { runServer } = await import('./run-server')
      await runServer(settings, loadRoutes)
    }
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${reasonOf(error)}\n`)
    process.exit(1)
  }
}
