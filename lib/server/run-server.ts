import cluster from 'node:cluster'
import { appUrl } from '@/lib/auth/app-url'
import { startUploadSweeps } from '@/lib/background-jobs'
import type { Env } from '@/lib/env'
import { shareMetrics } from '@/lib/metrics/cluster-metrics'
import { measureLoopDelay } from '@/lib/metrics/loop-delay'
import type { Routes } from '@/lib/openapi/api-document'
import { apiHandler } from './api-handler'
import { createEngineServer } from './create-server'
import { listen } from './listen'
import { openEngine, startWork } from './open-engine'
import { Pages } from './pages'
import { stopOnSignals } from './stop-on-signals'
import { START_WORK } from './workers'

/**
 * Serves in this process: opens everything, then listens. Next is loaded and background jobs begin
 * afterwards, and delay no request of the API. Throws when the server can't start.
 */
export async function runServer(settings: Env, loadRoutes: () => Promise<Routes>): Promise<void> {
  const [deps, routes] = await Promise.all([openEngine(settings), loadRoutes()])
  const pages = new Pages(settings)
  const serveApi = apiHandler(routes, settings)
  const server = createEngineServer(settings, { serveApi, servePage: pages.serve })
  const turn = turnToWork()
  if (cluster.isWorker) shareMetrics()
  if (isReplacement()) await pages.prepare() // those that it joins serve meanwhile
  await listen(server, settings)
  stopOnSignals(server)
  if (!cluster.isWorker) process.stdout.write(`Engine is ready at ${appUrl(settings)}\n`)
  await pages.prepare()
  measureLoopDelay()
  void startUploadSweeps(deps)
  await turn
  await startWork(deps)
}

const isReplacement = () => (cluster.worker?.id ?? 1) > 1

/** A worker among others waits until it is told: one of them is enough. */
async function turnToWork(): Promise<void> {
  if (!cluster.isWorker) return
  await new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === START_WORK) resolve()
    })
  })
}
