/** An engine that listens, as a process of its own: answers each line of its input with its address and a key. */
import { createInterface } from 'node:readline'
import { parseEnv } from '@/lib/env'
import { getDeps } from '@/lib/runtime'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'
import { ROUTES } from './routes'

const deps = await getDeps()
const settings = parseEnv({})
const serveApi = apiHandler(ROUTES, settings)
const { port } = await listen(createEngineServer(settings, { serveApi, servePage: serveApi }))
const reply = { url: `http://127.0.0.1:${port}`, key: await testKey(deps, ['ADMIN']) }
console.log('true')
for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(reply))
process.exit(0)
