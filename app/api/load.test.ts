import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { recordLoopDelay } from '@/lib/metrics/loop-delay'
import { metrics } from '@/lib/metrics/metrics'
import { Browser } from '@/lib/testing/browser'
import { installTestEntity } from '@/lib/testing/entity'
import { hashPassword } from '@/lib/testing/password'
import { call, testKey } from '@/lib/testing/request'
import * as byId from './entities/[entityName]/[id]/route'
import * as list from './entities/[entityName]/route'
import { GET as ready } from './health/ready/route'
import { GET as health } from './health/route'
import { POST as uploadImage } from './images/upload/route'
import { ask, deps, onPostgres, params, prepare } from './testing/places'

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
  test('refuses searches first, then other requests, when it is no longer ready, but not health and sign-in', async () => {
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
      (await call(deps, ready, { path: '/api/health/ready' })).status,
      (await call(deps, health, { path: '/api/health' })).status,
      (await new Browser(deps).signIn('unknown@example.com', 'wrong')).status,
    ]
    recordLoopDelay(100)
    expect(await statuses()).toEqual([200, 200, 200, 200, 401])
    recordLoopDelay(700)
    expect(await statuses()).toEqual([503, 200, 200, 200, 401])
    recordLoopDelay(3000)
    expect(await statuses()).toEqual([503, 503, 503, 200, 401])
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

  test('refuses uploads by their size', async () => {
    await prepare()
    const statusOf = async (headers: Record<string, string>) => {
      const request = { method: 'POST', path: '/api/images/upload', as: 'ADMIN', headers }
      return (await call(deps, uploadImage, { ...request, body: new FormData() })).status
    }
    recordLoopDelay(700)
    expect(await statusOf({ 'content-length': '200000' })).toBe(400)
    expect(await statusOf({ 'content-length': '20000000' })).toBe(503)
    expect(await statusOf({})).toBe(503)
  })
})
