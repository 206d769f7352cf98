import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { freshDeps } from '@/lib/testing/deps'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'
import { ROUTES } from './routes'

/** The settings of the command line for an engine that listens, on an empty database each test. */
export function runningEngine() {
  const deps = freshDeps()
  const env: Record<string, string> = {}
  let close: () => void
  beforeAll(async () => {
    const settings = parseEnv({})
    const serveApi = apiHandler(ROUTES, settings)
    const server = createEngineServer(settings, { serveApi, servePage: serveApi })
    const listening = await listen(server)
    env.ENGINE_URL = `http://127.0.0.1:${listening.port}`
    close = listening.close
  })
  beforeEach(async () => {
    env.ENGINE_API_KEY = await testKey(deps, ['ADMIN'])
  })
  afterAll(() => close())
  return { deps, env }
}

/** The names of the installed shoes that `addShoes` wrote. */
export async function shoeNames({ db }: Deps): Promise<string[]> {
  const found = await rows<{ name: string }>(db, sql`select name from entities.shoe order by id`)
  return found.map(({ name }) => name)
}
