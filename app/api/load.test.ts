import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '@/lib/auth/password'
import { one, rows } from '@/lib/db/rows'
import { users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/methods'
import { noteLoopDelay } from '@/lib/metrics/loop-delay'
import { metrics } from '@/lib/metrics/metrics'
import { Browser } from '@/lib/testing/browser'
import { currentDeps, testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as byId from './entities/[entityName]/[id]/route'
import * as batch from './entities/[entityName]/batch/route'
import * as count from './entities/[entityName]/count/route'
import * as exported from './entities/[entityName]/export/route'
import * as list from './entities/[entityName]/route'
import * as search from './entities/[entityName]/search/route'
import { GET as health } from './health/route'

const deps = currentDeps()

/** Of the pool that tests have. */
const POOL = { DATABASE_POOL_SIZE: '6' }
const onPostgres = describe.skipIf(!testsOnPostgres())
const params = { entityName: 'Place' }
const anyOf = (length: number) => [
  {
    operator: 'or',
    filters: Array.from({ length }, (_, n) => ({
      ...{ field: 'name', operator: 'icontains', value: `zz${n}q` },
    })),
  },
]

async function prepare(settings: Record<string, string> = {}): Promise<void> {
  await testDeps({ ...POOL, ...settings })
  const properties = [{ name: 'name', type: 'string' }]
  await installTestEntity(deps, { entity: { name: 'Place' }, schema: { properties } })
  await deps.db.execute(sql`
    insert into entities.place (id, name)
    select n, 'Place number ' || n || ' of the region ' || md5(n::text) from generate_series(1, 20000) n`)
  await deps.db.execute(sql`analyze entities.place`)
}

beforeEach(() => metrics().registry.resetMetrics())
afterEach(() => noteLoopDelay(0))

const post = (handler: Handler, path: string, body: object, method = 'POST') =>
  call(deps, handler, { method, path: `/api/entities/Place/${path}`, params, body, as: 'EDITOR' })

const query = (conditions: number) => ({ entity: 'Place', query: anyOf(conditions) })
const ask: Record<string, (conditions: number) => ReturnType<typeof call>> = {
  'a search': (n) => post(search.POST, 'search', query(n)),
  'a search of groups': (n) => {
    const groupBy = { fields: ['name'], aggregate: [{ function: 'COUNT' }] }
    return post(search.POST, 'search', { ...query(n), groupBy })
  },
  'a count': (n) => post(count.POST, 'count', query(n)),
  'an export': (n) => post(exported.POST, 'export', query(n)),
  'a deletion': (n) => post(batch.DELETE, 'batch', query(n), 'DELETE'),
  'a trial of a deletion': (n) => post(batch.DELETE, 'batch?dryRun=true', query(n), 'DELETE'),
}

describe('conditions that cost too much', () => {
  test.each(Object.keys(ask))('of %s are refused, with what to narrow', async (name) => {
    await prepare()
    const response = await ask[name]?.(400)
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/would cost [\d.]+ times .*400 times icontains on "name"/),
      },
    })
    expect((await ask[name]?.(2))?.status).toBe(200)
  })

  test('are for those who may see the system', async () => {
    await prepare({ MAX_SEARCH_COST: '1000' })
    const body = { entity: 'Place', query: anyOf(4) }
    const spec = { method: 'POST', path: '/api/entities/Place/search', params, body }
    expect((await call(deps, search.POST, { ...spec, as: 'EDITOR' })).status).toBe(400)
    expect((await call(deps, search.POST, { ...spec, as: 'ADMIN' })).status).toBe(200)
  })
})

describe('what takes too long', () => {
  const { 'an export': _, ...timed } = ask
  test.each(Object.keys(timed))('%s is stopped, and says what to narrow', async (name) => {
    await prepare({ MAX_SEARCH_COST: '1e12', READ_TIMEOUT_MS: '500', WRITE_TIMEOUT_MS: '500' })
    const response = await ask[name]?.(400)
    expect(response).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/took too long .*400 times icontains on "name"/) },
    })
    expect(response?.headers.get('retry-after')).toBe('1')
    if (testsOnPostgres()) await expect.poll(runningStatements).toBe(0)
    expect(await metrics().registry.metrics()).toMatch(
      /engine_requests_stopped_total\{reason="timed out"\} 1\n/,
    )
  })

  // The embedded database has one connection, so no other connection could see what it runs.
  test.runIf(testsOnPostgres()).each(Object.keys(ask))(
    '%s ends when its client leaves',
    async (name) => {
      await prepare({ MAX_SEARCH_COST: '1e12' })
      const left = new AbortController()
      vi.stubGlobal('Request', withSignal(left.signal))
      const response = ask[name]?.(400)
      await expect.poll(runningStatements).toBe(1)
      left.abort()
      await response?.catch(() => {})
      vi.unstubAllGlobals()
      await expect.poll(runningStatements).toBe(0)
    },
  )
})

onPostgres('while twelve searches hang', () => {
  test('records, health and sign-in respond, and the searches are refused in time', async () => {
    await prepare({ QUEUE_WAIT_MS: '1' })
    const passwordHash = await hashPassword('correct horse battery')
    const email = 'ann@example.com'
    await deps.db
      .insert(users)
      .values({ email, passwordHash, roles: ['ADMIN'], status: 'ACTIVATED' })
    const other = {
      entity: { name: 'Other' },
      schema: { properties: [{ name: 'name', type: 'string' }] },
    }
    await installTestEntity(deps, other, [{ id: 1, name: 'One' }])
    const key = await testKey(deps, ['VIEWER'])
    const headers = { authorization: `Bearer ${key}` }
    let hanging: Promise<number[]> | undefined
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table entities.place in access exclusive mode`)
      const spec = { path: '/api/entities/Place', params, headers }
      const one = async () => (await call(deps, list.GET, spec)).status
      hanging = Promise.all(Array.from({ length: 12 }, one))
      const record = { path: '/api/entities/Other/1', params: { entityName: 'Other', id: '1' } }
      for (let n = 0; n < 5; n++) {
        expect((await call(deps, byId.GET, { ...record, headers })).status).toBe(200)
        expect((await call(deps, health, { path: '/api/health' })).status).toBe(200)
      }
      expect((await new Browser(deps).signIn(email, 'correct horse battery')).status).toBe(200)
    })
    const statuses = (await hanging) ?? []
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(9)
  })
})

onPostgres('an entity whose table is locked', () => {
  test('keeps connections from others for one lock timeout, and is back with the lock gone', async () => {
    await prepare()
    const headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
    const read = async () => {
      const startedAt = performance.now()
      const spec = { path: '/api/entities/Place/1', params: { ...params, id: '1' }, headers }
      const { status } = await call(deps, byId.GET, spec)
      return { status, ms: performance.now() - startedAt }
    }
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table entities.place in access exclusive mode`)
      expect((await read()).status).toBe(503)
      const refused = await Promise.all(Array.from({ length: 50 }, read))
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
      // All refused in less time than one of them would wait for the lock.
      expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(1_500)
    })
    await expect.poll(async () => (await read()).status, { timeout: 5_000 }).toBe(200)
    expect((await Promise.all([read(), read()])).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('a process that comes late to everything', () => {
  test('refuses searches first, then other requests, but not health and sign-in', async () => {
    await prepare()
    const statuses = async () => [
      (await ask['a search']?.(1))?.status,
      (
        await call(deps, byId.GET, {
          path: '/api/entities/Place/1',
          params: { ...params, id: '1' },
          as: 'VIEWER',
        })
      ).status,
      (await call(deps, health, { path: '/api/health' })).status,
      (await new Browser(deps).signIn('unknown@example.com', 'wrong')).status,
    ]
    noteLoopDelay(100)
    expect(await statuses()).toEqual([200, 200, 200, 401])
    noteLoopDelay(700)
    expect(await statuses()).toEqual([503, 200, 200, 401])
    noteLoopDelay(3000)
    expect(await statuses()).toEqual([503, 503, 200, 401])
    const response = await ask['a search']?.(1)
    expect(response?.body).toMatchObject({
      code: 503,
      error: expect.stringContaining('overloaded'),
    })
    expect(response?.headers.get('retry-after')).toBe('2')
    expect(await metrics().registry.metrics()).toContain(
      'engine_requests_shed_total{what="heavy",reason="overload"} 3',
    )
  })
})

async function runningStatements(): Promise<number> {
  const query = sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
  return one(await rows<{ count: number }>(deps.db, query)).count
}

/** `Request`s that end with the signal, as a server's do with their connection. */
const withSignal = (signal: AbortSignal) =>
  class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, { ...init, signal })
    }
  }
