import { beforeAll, describe, expect, test } from 'vitest'
import { rateLimits } from '@/lib/db/schema'
import { apiHandler } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { listen } from '@/lib/testing/listen'
import { ALL_ROUTES } from './all-routes'
import { ROUTES } from './routes'
import { addAdministrator, browserOf, keyOf } from './testing/hostile/credentials'
import { send } from './testing/hostile/send'

const deps = currentDeps()
const EVIL = 'evil.example'
/** Whatever proxies, frameworks and servers have believed at some time. */
const SPOOFS: Record<string, string>[] = [
  { host: EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https' },
  { 'x-forwarded-server': EVIL, 'x-forwarded-port': '1' },
  { forwarded: `for=203.0.113.7;host=${EVIL};proto=https` },
  { 'x-original-host': EVIL, 'x-host': EVIL, 'x-http-host-override': EVIL },
  { 'x-original-url': `https://${EVIL}/`, 'x-rewrite-url': `https://${EVIL}/` },
]
const ADDRESSES: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '203.0.113.8, 203.0.113.9' },
  { 'x-real-ip': '203.0.113.10' },
  { 'true-client-ip': '203.0.113.11', 'cf-connecting-ip': '203.0.113.11' },
  { forwarded: 'for=203.0.113.12' },
  { 'x-engine-peer': '203.0.113.13' },
  { 'X-Engine-Peer': '203.0.113.14', 'x-client-ip': '203.0.113.14' },
]

let port: number
let user: Awaited<ReturnType<typeof addAdministrator>>
let key: Record<string, string>

async function start(settings: Record<string, string> = {}) {
  const { settings: read } = await testDeps({ APP_URL: 'https://engine.example.com', ...settings })
  const serveApi = apiHandler(ALL_ROUTES, read)
  const server = createEngineServer(read, { serveApi, servePage: serveApi })
  ;({ port } = await listen(server))
  server.unref()
  user = await addAdministrator(deps)
  key = (await keyOf(deps, user)).headers
}

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  send(port, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('a host that the client made up', () => {
  beforeAll(() => start())

  test('is in no response of any route', async () => {
    for (const [at, path] of Object.keys(ROUTES).entries()) {
      const spoof = SPOOFS[at % SPOOFS.length] as Record<string, string>
      const target = path.replace(/\[+[.\w]+\]+/g, '1')
      const sent = { method: 'GET', path: target, headers: { ...key, ...spoof } }
      const { headers, text } = await send(port, sent)
      expect.soft({ path, shown: JSON.stringify(headers) + text }).toEqual({
        path,
        shown: expect.not.stringContaining(EVIL),
      })
    }
  })

  test.each(['csrf', 'signin', 'signout', 'session', 'providers', 'error'])(
    'is in no response of the sign-in, %s',
    async (page) => {
      for (const spoof of SPOOFS) {
        const query = `?callbackUrl=https://${EVIL}/`
        const path = `/api/auth/${page}${query}`
        const { headers, text } = await send(port, { method: 'GET', path, headers: spoof })
        expect(`${headers.location} ${headers['set-cookie']} ${text}`).not.toContain(EVIL)
      }
    },
  )

  test('is in no mail', async () => {
    for (const [at, spoof] of SPOOFS.entries()) {
      const email = `user${at}@example.com`
      const created = await post(
        '/api/users/init',
        { email, roles: ['VIEWER'], profile: {}, password: 'correct horse battery' },
        { ...key, ...spoof },
      )
      expect(created.status).toBe(200)
      const { id } = JSON.parse(created.text).data[0]
      await post(`/api/users/${id}/activation-email`, {}, { ...key, ...spoof })
      await post('/api/auth/forget-password', { email }, spoof)
    }
    const mails = await readInbox(deps)
    expect(mails.length).toBeGreaterThanOrEqual(SPOOFS.length)
    for (const { text } of mails) {
      expect(text).toContain('https://engine.example.com/')
      expect(text).not.toContain(EVIL)
    }
  })

  test.each(SPOOFS.slice(1))('does not make another site’s page ours: %o', async (spoof) => {
    const { 'sec-fetch-site': _, ...cookie } = await browserOf(deps, user)
    const view = { entity: 'EngineUsers', name: crypto.randomUUID(), params: '' }
    for (const origin of [`https://${EVIL}`, 'null', `https://engine.example.com.${EVIL}`])
      expect((await post('/api/views', view, { ...cookie, ...spoof, origin })).status).toBe(403)
    const sameSite = { ...cookie, origin: 'https://engine.example.com' }
    expect((await post('/api/views', view, sameSite)).status).toBe(201)
  })
})

describe('an address that the client made up', () => {
  /** Attempts of each caller that is counted, the most first. */
  async function attempts(headers: Record<string, string>[]): Promise<number[]> {
    for (const one of headers) expect((await post('/api/auth/passkey', {}, one)).status).toBe(200)
    const rows = await deps.db.select().from(rateLimits)
    return rows.map(({ points }) => points).sort((a, b) => b - a)
  }

  test('is not counted as another caller', async () => {
    await start()
    expect(await attempts(ADDRESSES)).toEqual([ADDRESSES.length])
  })

  test('is not believed beyond what the proxies in front have added', async () => {
    await start({ TRUST_PROXY: '1' })
    const behind = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((made) => ({
      'x-forwarded-for': `${made}, 198.51.100.1`,
    }))
    expect(await attempts(behind)).toEqual([3])
  })
})
