/** Workers without an engine, or a single process, for tests of their supervision: each responds with what it is. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { parseEnv } from '@/lib/env'
import { clusterMetrics, shareMetrics } from '@/lib/metrics/cluster-metrics'
import { metrics } from '@/lib/metrics/metrics'
import { createEngineServer, type Serve } from '@/lib/server/create-server'
import { runWorkers } from '@/lib/server/run-workers'
import { stopOnSignals } from '@/lib/server/stop-on-signals'
import { START_WORK } from '@/lib/server/workers'

const settings = parseEnv(process.env)
if (cluster.isPrimary && settings.WEB_CONCURRENCY > 1) await runWorkers(settings)
else {
  let isAtWork = false
  process.on('message', (message) => {
    if (message === START_WORK) isAtWork = true
  })
  const respond = async (url: string) => {
    if (url === '/api/slow') await new Promise((resolve) => setTimeout(resolve, 500))
    if (url === '/api/metrics') return { text: await clusterMetrics() }
    metrics().shed.inc({ what: 'test', reason: 'test' })
    return { pid: process.pid, isAtWork, limit: settings.MAX_CONNECTIONS }
  }
  const serveApi: Serve = (request, response) =>
    void respond(request.url ?? '').then((body) => response.end(JSON.stringify(body)))
  const server = createEngineServer(settings, { serveApi, servePage: serveApi })
  if (cluster.isWorker) shareMetrics()
  stopOnSignals(server)
  server.listen(settings.PORT, '127.0.0.1')
  await once(server, 'listening')
  if (!cluster.isWorker) console.log('Engine is ready at this address in 1 processes')
}
