/** An engine with all routes and promotions in the background, as a process of its own: answers each line with its address and a key. */
import { createInterface } from 'node:readline'
import { ROUTES } from '@/app/api/routes'
import * as fileSchemas from '@/app/schemas/[name]/route'
import { parseEnv } from '@/lib/env'
import { sweepInstalls } from '@/lib/installs/sweep-installs'
import { getDeps } from '@/lib/runtime'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { startPromotions } from '@/lib/servers/start-promotions'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'

const deps = await getDeps()
const settings = parseEnv({})
const serveApi = apiHandler({ ...ROUTES, '/schemas/[name]': fileSchemas }, settings)
const { port } = await listen(createEngineServer(settings, { serveApi, servePage: serveApi }))
const work = async () => {
  await sweepInstalls(deps)
  await startPromotions(deps)
}
setInterval(() => void work().catch(() => {}), 1_000)
const reply = { url: `http://127.0.0.1:${port}`, key: await testKey(deps, ['ADMIN']) }
console.log('true')
for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(reply))
process.exit(0)
