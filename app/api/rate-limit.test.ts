import { describe, expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { apiKeys, policies } from '@/lib/db/schema'
import { Counters } from '@/lib/layers/rate-limit'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey, testKeyOfRoles } from '@/lib/testing/request'
import * as things from './entities/[entityName]/route'
import * as health from './health/route'
import * as images from './images/files/[...path]/route'
import { addAdministrator, browserOf } from './testing/hostile/credentials'

const deps = currentDeps()

async function begin(settings: Record<string, string> = { API_RATE_LIMIT: '3/h' }) {
  await testDeps({ ANONYMOUS_ACCESS: 'on', ...settings })
  await installTestEntity(deps, { entity: { name: 'Thing' } })
}

type Headers = Record<string, string>
const read = (headers: Headers) =>
  call(deps, things.GET, { path: '/api/entities/Thing', params: { entityName: 'Thing' }, headers })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const limits = ({ headers }: { headers: globalThis.Headers }) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
]
const statuses = async (count: number, headers: () => Headers) => {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push((await read(headers())).status)
  return found
}

describe('API_RATE_LIMIT', () => {
  test('is what each key may do, and headers say how much is left', async () => {
    await begin()
    const own = bearer(await testKeyOfRoles(deps, ['VIEWER']))
    const left = (r: number) => [
      '"key";q=3;w=3600',
      expect.stringMatching(`^"key";r=${r};t=3\\d{3}$`),
    ]
    expect(limits(await read(own))).toEqual(left(2))
    expect(limits(await read(own))).toEqual(left(1))
    expect(limits(await read(own))).toEqual(left(0))
    const refused = await read(own)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 429, status: 'TOO_MANY_REQUESTS', data: [], error: expect.any(String) },
    })
    expect(limits(refused)).toEqual(left(0))
    expect(refused.headers.get('ratelimit')).toContain(`t=${refused.headers.get('retry-after')}`)
    for (const other of [testKeyOfRoles, testKey])
      expect((await read(bearer(await other(deps, ['VIEWER'])))).status).toBe(200)
  })

  test('counts what a key may not do, too', async () => {
    await begin({ API_RATE_LIMIT: '2/min' })
    const own = bearer(await testKey(deps, ['VIEWER']))
    await read(own)
    const write = await call(deps, things.POST, {
      ...{ method: 'POST', path: '/api/entities/Thing', params: { entityName: 'Thing' } },
      ...{ headers: own, body: '{' },
    })
    expect(write.status).toBe(403)
    expect((await read(own)).status).toBe(429)
  })

  test('is what the guests of a network may do', async () => {
    await begin()
    await deps.db.insert(policies).values({
      ...{ name: 'Guests', actions: ['read'], allow: true, principals: ['anonymous'] },
      ...{ entities: ['thing'], priority: 0, definition: { name: 'Guests' } as never },
    })
    let at = 0
    const ofNetwork = () => ({ [PEER_HEADER]: `2001:db8::${++at}` })
    expect(await statuses(4, ofNetwork)).toEqual([200, 200, 200, 429])
    expect((await read({ [PEER_HEADER]: '203.0.113.7' })).status).toBe(200)
  })

  test('is how often somebody without a valid credential may try', async () => {
    await begin()
    let at = 0
    const guesses = () => ({ ...bearer(`eng_${++at}`), [PEER_HEADER]: '203.0.113.7' })
    expect(await statuses(5, guesses)).toEqual([401, 401, 401, 429, 429])
    const ended = () => ({
      cookie: `next-auth.session-token=${++at}`,
      [PEER_HEADER]: '203.0.113.8',
    })
    expect(await statuses(4, ended)).toEqual([401, 401, 401, 429])
    const valid = bearer(await testKey(deps, ['VIEWER']))
    expect((await read({ ...valid, [PEER_HEADER]: '203.0.113.7' })).status).toBe(200)
  })

  test('counts nothing for a key that is none', async () => {
    await begin()
    const own = () => bearer(key)
    const key = await testKey(deps, ['VIEWER'])
    await deps.db.update(apiKeys).set({ revokedAt: new Date() })
    expect(await statuses(2, own)).toEqual([401, 401])
    await deps.db.update(apiKeys).set({ revokedAt: null })
    expect(await statuses(4, own)).toEqual([200, 200, 200, 429])
  })

  test('does not concern sessions and routes that are open to everybody', async () => {
    await begin({ API_RATE_LIMIT: '1/h' })
    const browser = await browserOf(deps, await addAdministrator(deps))
    for (let n = 0; n < 3; n++) {
      const ofSession = await read(browser)
      const open = await call(deps, health.GET, { path: '/api/health' })
      expect([ofSession.status, ...limits(ofSession)]).toEqual([200, null, null])
      expect([open.status, ...limits(open)]).toEqual([200, null, null])
      const image = { path: '/api/images/files/x.png', params: { path: ['x.png'] } }
      const file = await call(deps, images.GET, image)
      expect([file.status, ...limits(file)]).toEqual([404, null, null])
    }
  })

  test('is off by default', async () => {
    await begin({})
    const own = bearer(await testKey(deps, ['VIEWER']))
    const response = await read(own)
    expect([response.status, ...limits(response)]).toEqual([200, null, null])
  })
})

describe('counters', () => {
  test('begin anew when their window is over', () => {
    const counters = new Counters()
    expect(counters.add('a', 1000, 0)).toEqual({ used: 1, resetMs: 1000 })
    expect(counters.add('a', 1000, 999)).toEqual({ used: 2, resetMs: 1 })
    expect(counters.add('a', 1000, 1000)).toEqual({ used: 1, resetMs: 1000 })
  })

  test('are so many at most: the one used least recently is forgotten', () => {
    const counters = new Counters(2)
    for (const subject of ['a', 'b', 'a', 'c']) counters.add(subject, 1000, 0)
    expect(counters.add('a', 1000, 0).used).toBe(3)
    expect(counters.add('b', 1000, 0).used).toBe(1)
    expect(counters.add('c', 1000, 0).used).toBe(1)
  })
})
