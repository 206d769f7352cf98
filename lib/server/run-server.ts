import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { appUrl } from '@/lib/auth/app-url'
import { startUploadSweeps } from '@/lib/background-jobs'
import type { Env } from '@/lib/env'
import { shareMetrics } from '@/lib/metrics/cluster-metrics'
import { measureLoopDelay } from '@/lib/metrics/loop-delay'
import type { Routes } from '@/lib/openapi/api-document'
import { apiHandler } from './api-handler'
import { createEngineServer } from './create-server'
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

/** Resolves when `server` takes connections. Throws an error that names the setting that is wrong. */
export async function listen(
  server: Server,
  { PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>,
): Promise<void> {
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const isPort = ['EADDRINUSE', 'EACCES'].includes(error.code ?? '')
    const setting = isPort ? `PORT: ${PORT}` : `HOST: ${HOST}`
    const reason = REASONS[error.code ?? ''] ?? error.message
    throw new Error(`${setting} can't be listened on: ${reason}`, { cause: error })
  })
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process does',
  EACCES: 'only some users may',
  EADDRNOTAVAIL: 'it is no address of this machine',
  ENOTFOUND: 'no address is known by that name',
  EAI_AGAIN: 'no address is known by that name',
}
