import 'server-only'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { appUrl } from '@/lib/auth/app-url'
import { reasonOf } from '@/lib/db/errors'
import { type Env, env } from '@/lib/env'
import type { Routes } from '@/lib/openapi/api-document'
import { stopRuntime } from '@/lib/runtime'
import { apiHandler } from './api-handler'
import { createEngineServer } from './create-server'
import { openEngine, startWork } from './open-engine'
import { Pages } from './pages'
import { stopOnSignals } from './stop-on-signals'

/**
 * Opens everything, then listens; a server that can't start writes the reason in one line and
 * exits. Next is loaded and background jobs begin afterwards, and delay no request of the API.
 */
export async function runServer(loadRoutes: () => Promise<Routes>): Promise<void> {
  try {
    const settings = env()
    const [deps, routes] = await Promise.all([openEngine(settings), loadRoutes()])
    const pages = new Pages(settings)
    const serveApi = apiHandler(routes, settings)
    const server = createEngineServer(settings, { serveApi, servePage: pages.serve })
    await listen(server, settings)
    stopOnSignals(server)
    const seconds = (performance.now() / 1000).toFixed(1)
    process.stdout.write(`Engine is ready at ${appUrl(settings)} after ${seconds} s\n`)
    await pages.prepare()
    await startWork(deps)
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${reasonOf(error)}\n`)
    await stopRuntime().catch(() => {})
    process.exit(1)
  }
}

async function listen(server: Server, { PORT, HOST }: Env): Promise<void> {
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening')
}
