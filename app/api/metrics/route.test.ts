import { beforeEach, describe, expect, test } from 'vitest'
import { GET as health } from '@/app/api/health/route'
import { metrics } from '@/lib/metrics/metrics'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { patternOf } from '@/lib/values/route-pattern'
import { GET } from './route'

const deps = currentDeps()
beforeEach(async () => {
  metrics().registry.resetMetrics()
  await testDeps({ METRICS_TOKEN: 'a-token-for-scrapers' })
})
const path = '/api/metrics'
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('GET /api/metrics', () => {
  test('counts requests by the pattern of their route and their status', async () => {
    await call(deps, health, { path: '/api/health' })
    await call(deps, health, { path: '/api/health' })
    const { status, headers, text } = await call(deps, GET, { path, as: 'ADMIN' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch('text/plain; version=0.0.4')
    expect(text).toMatch(
      /engine_http_requests_total\{method="GET",route="\/api\/health",status="200"\} 2\n/,
    )
    expect(text).toMatch(
      /engine_http_request_duration_seconds_count\{method="GET",route="\/api\/health"\} 2\n/,
    )
    expect(text).toMatch(/engine_database_connections\{state="active"\} [1-9]/)
    expect(text).toMatch(/engine_database_pool_size [1-9]/)
  })

  test.each([
    ['the metrics token', bearer('a-token-for-scrapers'), 200],
    ['an administrator', { as: 'ADMIN' }, 200],
    ['no credential', {}, 401],
    ['another token', bearer('a-token-for-scraper'), 401],
    ['an unknown API key', bearer('eng_0123456789abcdef0123456789abcdef'), 401],
    ['an editor', { as: 'EDITOR' }, 403],
  ])('to %s with %j is %i', async (_, spec, status) => {
    expect((await call(deps, GET, { path, ...spec })).status).toBe(status)
  })

  test('no token opens it when none is set', async () => {
    await testDeps()
    const { status } = await call(deps, GET, { path, ...bearer('undefined') })
    expect(status).toBe(401)
  })
})

test.each([
  ['/api/entities/Airport/search', { entityName: 'Airport' }, '/api/entities/[entityName]/search'],
  ['/api/entities/entities', { entityName: 'entities' }, '/api/entities/[entityName]'],
  ['/api/entities/A/a%20b', { entityName: 'A', id: 'a b' }, '/api/entities/[entityName]/[id]'],
  ['/api/nowhere/at/all', { path: ['nowhere', 'at', 'all'] }, '/api/[...path]'],
  ['/api/health', {}, '/api/health'],
  ['/api/plugins/%E0%A4%A', undefined, '/api/plugins/%E0%A4%A'],
])('%s with %j is counted as %s', (pathname, params, pattern) => {
  expect(patternOf(pathname, params)).toBe(pattern)
})
