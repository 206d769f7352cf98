import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '@/lib/log'
import { metrics } from '@/lib/metrics/metrics'
import { startTelemetry, stopTelemetry } from '@/lib/telemetry/start-telemetry'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { recorder } from '@/lib/tracing/tracing'
import { POST as search } from './entities/[entityName]/search/route'
import { GET as health } from './health/route'
import { install } from './plugins/testing/plugin-api'

const deps = freshDeps()

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: unknown[]
}

let received: { path: string; text: string }[]
let server: ReturnType<typeof createServer>

/** A receiver of OTLP over HTTP, as JSON. */
beforeEach(async () => {
  received = []
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ path: request.url ?? '', text: Buffer.concat(chunks).toString() })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await stopTelemetry()
  server.close()
})

type Signal = 'TRACES' | 'METRICS' | 'LOGS'

const start = (...signals: Signal[]) => {
  const { port } = server.address() as AddressInfo
  const sent = (signal: Signal) => (signals.includes(signal) ? 'otlp' : 'none')
  const settings = {
    ...deps.settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_SERVICE_NAME: 'engine-2',
    OTEL_TRACES_EXPORTER: sent('TRACES'),
    OTEL_METRICS_EXPORTER: sent('METRICS'),
    OTEL_LOGS_EXPORTER: sent('LOGS'),
  } as const
  return startTelemetry({ ...deps, settings })
}

/** What has arrived of one kind, after all of it was sent. */
async function arrived(path: string) {
  await stopTelemetry()
  return received.filter((each) => each.path === path).map(({ text }) => JSON.parse(text))
}

async function spans(): Promise<Span[]> {
  const found = await arrived('/v1/traces')
  return found.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  )
}

const sentText = () => received.map(({ text }) => text).join()

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

test('a search continues the trace of its caller, with its phases and statements, and without values', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Town' },
    schema: { properties: [{ name: 'name', type: 'string' }] },
  })
  const key = await testKey(deps, ['ADMIN'])
  await start('TRACES')
  const { status } = await call(deps, search, {
    method: 'POST',
    path: '/api/entities/Town/search',
    headers: { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-${PARENT}-01` },
    body: { query: [{ field: 'name', operator: 'eq', value: 'a secret value' }] },
    params: { entityName: 'Town' },
  })
  expect(status).toBe(200)
  const found = await spans()
  const request = found.find(({ name }) => name === 'POST searchRecords')
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT })
  const parts = found.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(parts.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['auth', 'parse', 'db select']),
  )
  expect(new Set(found.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  expect(sentText()).not.toContain('secret')
  expect(sentText()).not.toContain(key)
})

test('an install has a span for each of its files', async () => {
  await start('TRACES')
  const { body } = await install(
    deps,
    pluginFiles({
      EngineEntities: { files: { 'Town.json': { name: 'Town' } } },
      Town: { files: { 'data.json': [{ name: 'a secret value' }] } },
    }),
  )
  expect(body.data.successCount).toBe(2)
  const names = (await spans()).map(({ name }) => name)
  expect(names.filter((name) => name === 'install file')).toHaveLength(2)
  expect(names).toContain('POST installPlugin')
  expect(sentText()).not.toContain('secret')
})

type Metric = {
  name: string
  sum?: { isMonotonic: boolean; dataPoints: Point[] }
  gauge?: { dataPoints: Point[] }
  histogram?: { dataPoints: Point[] }
}
type Point = {
  attributes: { key: string; value: { stringValue?: string } }[]
  asDouble?: number
  sum?: number
  count?: number
  bucketCounts?: number[]
  explicitBounds?: number[]
}

test('metrics arrive as those of the process, with their names, kinds and values', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const { requests, durations } = metrics()
  requests.reset()
  durations.reset()
  requests.inc({ method: 'GET', route: '/api/users', status: '200' }, 3)
  for (const seconds of [0.007, 0.03, 90])
    durations.observe({ method: 'GET', route: '/api/users' }, seconds)
  await start('METRICS')
  const [sent] = await arrived('/v1/metrics')
  expect(received.every(({ path }) => path === '/v1/metrics')).toBe(true)
  const [{ resource, scopeMetrics }] = sent.resourceMetrics
  expect(resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'engine-2' },
  })
  const found: Metric[] = scopeMetrics.flatMap(({ metrics }: { metrics: Metric[] }) => metrics)
  const named = (name: string) => found.find((metric) => metric.name === name)
  expect(named('engine_http_requests_total')?.sum).toMatchObject({
    isMonotonic: true,
    dataPoints: [{ asDouble: 3 }],
  })
  const [taken] = named('engine_http_request_duration_seconds')?.histogram?.dataPoints ?? []
  expect(taken).toMatchObject({ count: 3, explicitBounds: expect.arrayContaining([0.005, 60]) })
  expect(taken?.sum).toBeCloseTo(90.037)
  expect(taken?.bucketCounts).toEqual([0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(taken?.attributes.map(({ key }) => key)).toEqual(['method', 'route'])
  expect(named('engine_database_connections')?.gauge?.dataPoints.length).toBeGreaterThan(0)
  expect(sentText()).not.toContain(key)
})

test('lines of the log arrive with their level and fields, redacted as they are written', async () => {
  await start('LOGS')
  const log = createLog('info')
  log.debug('not of this level')
  log.warn({ mail: 'm1', attempts: 2, token: 'a secret value', cause: { code: 'X' } }, 'mail kept')
  const [sent] = await arrived('/v1/logs')
  const [record] = sent.resourceLogs[0].scopeLogs[0].logRecords
  expect(sent.resourceLogs[0].scopeLogs[0].logRecords).toHaveLength(1)
  expect(record).toMatchObject({ severityNumber: 13, body: { stringValue: 'mail kept' } })
  expect(record.attributes).toEqual([
    { key: 'mail', value: { stringValue: 'm1' } },
    { key: 'attempts', value: { intValue: 2 } },
    { key: 'token', value: { stringValue: '[redacted]' } },
    { key: 'cause', value: { stringValue: '{"code":"X"}' } },
  ])
  expect(sentText()).not.toContain('secret')
})

test('a collector that is away delays no request, and no stop beyond its time', async () => {
  await start('TRACES', 'METRICS', 'LOGS')
  server.close()
  const { status } = await call(deps, health, { path: '/api/health' })
  expect(status).toBe(200)
  await stopTelemetry()
  expect(recorder()).toBeUndefined()
})

test('without an exporter nothing is recorded', async () => {
  await startTelemetry({
    ...deps,
    settings: { ...deps.settings, OTEL_EXPORTER_OTLP_ENDPOINT: undefined },
  })
  expect(recorder()).toBeUndefined()
})
