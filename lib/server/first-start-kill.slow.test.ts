import { afterEach, beforeAll, expect, test } from 'vitest'
import { ApiServer } from '@/lib/testing/api-servers'
import { bundleServer } from '@/lib/testing/bundle-script'
import { type Home, makeHome } from '@/lib/testing/engine-process'
import { killMoments, killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 30)
const KEY = `eng_${'f'.repeat(40)}`
const SETTINGS = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
  BOOTSTRAP_API_KEY: KEY,
}

let bundle: string
let home: Home | undefined
let server: ApiServer | undefined
beforeAll(async () => {
  bundle = await bundleServer('app/api/testing/api-app.ts')
})
afterEach(tidy)

async function tidy(): Promise<void> {
  await server?.kill()
  await home?.remove()
  home = undefined
}

/** Starts it where it was killed: one administrator, whose key works, and an entity can be made. */
async function expectToServe(): Promise<void> {
  server = await ApiServer.start(bundle, home as Home, SETTINGS)
  const users = await server.send({ path: '/api/users', key: KEY })
  expect(users.body.data).toMatchObject([{ email: SETTINGS.ADMIN_EMAIL, roles: ['ADMIN'] }])
  expect((await server.send({ path: '/api/health/ready' })).status).toBe(200)
  const keys = await server.send({ path: '/api/api-keys', key: KEY })
  expect(keys.body.data).toHaveLength(1)
}

test(`a first start that is killed, ${KILLS} times, is completed by the next one`, async () => {
  home = await makeHome()
  const startedAt = performance.now()
  await expectToServe()
  const startMs = performance.now() - startedAt
  await tidy()
  const moment = killMoments('first start')
  for (let kill = 0; kill < KILLS; kill++) {
    home = await makeHome()
    await ApiServer.killStart(bundle, home, SETTINGS, moment() * startMs)
    await expectToServe()
    await tidy()
  }
}, 3_600_000)
