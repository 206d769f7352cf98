/** The API on a server of its own, without pages; the address is its first line of output. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { ALL_ROUTES } from '@/app/api/all-routes'
import { env } from '@/lib/env'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { openEngine, startWork } from '@/lib/server/open-engine'
import { stopOnSignals } from '@/lib/server/stop-on-signals'

const settings = env()
const deps = await openEngine(settings)
const serveApi = apiHandler(ALL_ROUTES, settings)
const server = createEngineServer(settings, { serveApi, servePage: serveApi })
server.listen(0, '127.0.0.1')
await once(server, 'listening')
stopOnSignals(server)
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
await startWork(deps)
