import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { startTracing, stopTracing } from '@/lib/tracing/start-tracing'
import { recorder } from '@/lib/tracing/tracing'
import { POST as search } from './entities/[entityName]/search/route'
import { install } from './plugins/testing/plugin-api'

const deps = freshDeps()

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: unknown[]
}

let received: string[]
let server: ReturnType<typeof createServer>

/** A receiver of OTLP over HTTP, as JSON. */
beforeEach(async () => {
  received = []
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push(Buffer.concat(chunks).toString())
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, {
      'content-type': 'application/json',
    })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await stopTracing()
  server.close()
})

const start = () => {
  const { port } = server.address() as AddressInfo
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'engine',
  }
  return startTracing(settings, deps.log)
}

async function spans(): Promise<Span[]> {
  await stopTracing()
  return received.flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  )
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

test('a search continues the trace of its caller, with its phases and statements, and without values', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Town' },
    schema: { properties: [{ name: 'name', type: 'string' }] },
  })
  const key = await testKey(deps, ['ADMIN'])
  await start()
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
  expect(received.join()).not.toContain('secret')
  expect(received.join()).not.toContain(key)
})

test('an install has a span for each of its files', async () => {
  await start()
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
  expect(received.join()).not.toContain('secret')
})

test('without an exporter nothing is recorded', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: undefined, OTEL_SERVICE_NAME: 'engine' }
  await startTracing(settings, deps.log)
  expect(recorder()).toBeUndefined()
})
