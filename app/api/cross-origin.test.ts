import { beforeEach, describe, expect, test } from 'vitest'
import { policies } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as unknown from './[[...path]]/route'
import * as auth from './auth/[...nextauth]/route'
import * as record from './entities/[entityName]/[id]/route'
import * as things from './entities/[entityName]/route'
import { ROUTES } from './routes'
import { addAdministrator, browserOf } from './testing/hostile/credentials'
import * as me from './users/me/route'

const deps = currentDeps()
const APP = 'https://app.example.com'
const LISTED = { CORS_ORIGINS: `${APP}, http://localhost:5173`, ANONYMOUS_ACCESS: 'on' }

async function begin(settings: Record<string, string> = LISTED) {
  await testDeps({ APP_URL: 'https://engine.example.com', ...settings })
  const schema = { properties: [{ name: 'title', type: 'string' }] }
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, [{ title: 'one' }])
}
beforeEach(() => begin())

type Headers = Record<string, string>
const params = { entityName: 'Thing' }
const path = '/api/entities/Thing'
const read = (headers: Headers) => call(deps, things.GET, { path, params, headers })
const add = (headers: Headers) =>
  call(deps, things.POST, { method: 'POST', path, params, headers, body: { title: 'two' } })
const bearer = async () => ({ authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` })

const ASKS = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'if-match',
}
const preflight = (handler: Handler, origin: string, at = path) =>
  call(deps, handler, { method: 'OPTIONS', path: at, params, headers: { origin, ...ASKS } })
const corsOf = ({ headers }: { headers: globalThis.Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => /^(access-control-|vary$)/.test(name)))

describe('a preflight', () => {
  test('tells a page of a listed origin what it may send, for ten minutes', async () => {
    for (const origin of [APP, 'http://localhost:5173']) {
      const response = await preflight(record.OPTIONS, origin)
      expect([response.status, response.text]).toEqual([204, ''])
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(
          /^Authorization, Content-Type, Idempotency-Key, If-Match,.*Last-Event-ID,.*X-Engine-ApiKey/,
        ),
        'access-control-expose-headers': expect.any(String),
        'access-control-max-age': '600',
        vary: 'Origin',
      })
    }
  })

  test.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://evil-app.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
    '*',
  ])('tells a page of %s nothing', async (origin) => {
    const response = await preflight(record.OPTIONS, origin)
    expect([response.status, corsOf(response)]).toEqual([204, { vary: 'Origin' }])
  })
})

describe('a response', () => {
  test('is shown to pages of listed origins, whatever it is', async () => {
    const key = await bearer()
    const from = { origin: APP }
    const responses = [
      [200, await read({ ...key, ...from })],
      [201, await add({ ...key, ...from })],
      [401, await read({ authorization: 'Bearer eng_unknown', ...from })],
      [404, await call(deps, unknown.GET, { path: '/api/nothing', headers: from })],
      [
        405,
        await call(deps, me.DELETE, { method: 'DELETE', path: '/api/users/me', headers: from }),
      ],
    ] as const
    for (const [status, response] of responses) {
      expect(response.status).toBe(status)
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': expect.stringMatching(
          /ETag.*RateLimit, RateLimit-Policy, Retry-After, Server-Timing.*X-Request-Id/,
        ),
        vary: 'Origin',
      })
    }
  })

  test('is shown to no other pages, and differs for caches', async () => {
    const key = await bearer()
    expect(corsOf(await read({ ...key, origin: 'https://evil.example' }))).toEqual({
      vary: 'Origin',
    })
    expect(corsOf(await read(key))).toEqual({ vary: 'Origin' })
    await begin({})
    const without = await read({ ...(await bearer()), origin: APP })
    expect([without.status, corsOf(without)]).toEqual([200, {}])
    expect(corsOf(await preflight(record.OPTIONS, APP))).toEqual({})
  })

  test('is never shown with cookies, on no route', async () => {
    for (const [at, route] of Object.entries(ROUTES)) {
      const handlers = route as Record<string, Handler>
      const target = at.replace(/\[+[.\w]+\]+/g, '1')
      for (const method of ['OPTIONS', 'GET']) {
        const handler = handlers[method]
        if (!handler) continue
        const request = new Request(`http://test.local${target}`, {
          method,
          headers: { origin: APP },
        })
        const response = await handler(request, { params: Promise.resolve({}) })
        expect([at, response.headers.get('access-control-allow-credentials')]).toEqual([at, null])
        await response.body?.cancel()
      }
    }
  })

  test('of a sign-in is shown to no other pages', async () => {
    const at = '/api/auth/session'
    expect(corsOf(await preflight(auth.OPTIONS, APP, at))).toEqual({ vary: 'Origin' })
    const session = { path: at, params: { nextauth: ['session'] }, headers: { origin: APP } }
    expect(corsOf(await call(deps, auth.GET, session))).toEqual({ vary: 'Origin' })
  })
})

describe('a session', () => {
  test('does not count in requests of pages of other origins, listed ones too', async () => {
    const browser = await browserOf(deps, await addAdministrator(deps))
    const { cookie = '' } = browser
    expect((await read(browser)).status).toBe(200)
    expect((await read({ cookie, origin: 'https://engine.example.com' })).status).toBe(200)
    expect((await read({ cookie })).status).toBe(200)
    for (const origin of [APP, 'https://evil.example', 'null']) {
      const foreign: Headers[] = [
        { cookie, origin },
        { cookie, origin, 'sec-fetch-site': 'same-site' },
        { cookie, origin, 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of foreign) {
        expect((await read(headers)).status).toBe(401)
        expect((await add(headers)).status).toBe(403)
      }
    }
  })

  test('that accompanies a key does not matter', async () => {
    const { cookie = '' } = await browserOf(deps, await addAdministrator(deps))
    const key = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
    expect((await read({ ...key, cookie, origin: APP })).status).toBe(200)
    expect((await add({ ...key, cookie, origin: APP })).status).toBe(403)
  })
})

test('pages of listed origins write as guests, others do not', async () => {
  await deps.db.insert(policies).values({
    ...{ name: 'Guests', actions: ['write'], allow: true, principals: ['anonymous'] },
    ...{ entities: ['thing'], priority: 0, definition: { name: 'Guests' } as never },
  })
  expect((await add({ origin: APP, 'sec-fetch-site': 'cross-site' })).status).toBe(201)
  expect((await add({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await add({ origin: 'null' })).status).toBe(403)
})
