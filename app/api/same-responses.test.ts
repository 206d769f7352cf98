import { expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { makeImage } from '@/lib/testing/images'
import { testKey } from '@/lib/testing/request'
import { described, expectSame, requestOf, type Send, type Sent } from './testing/same-responses'

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers = {}): Sent => ({
  path,
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Sent in this order to both, each time on the same data. */
const SENT: Sent[] = [
  ...[
    'page=0&size=2',
    'sort=n:desc',
    'filter=n:gt:1',
    'size=0',
    'filter=nope:eq:1',
    'page=%zz',
  ].map((query) => ({ path: `/api/entities/Thing?${query}` })),
  { path: '/api/entities/Thing/1' },
  { path: '/api/entities/Thing/%31' },
  { path: '/api/entities/Thing/nope%2Fat%20all' },
  { path: '/api/entities/Th%C3%AFng' },
  { path: '/api/nope/%25zz' },
  { path: '/api' },
  { path: '/api?x=1' },
  post('/api/entities/Thing/search', { query: [{ field: 'n', operator: 'gt', value: 1 }] }),
  post('/api/entities/Thing/search', '{"query": ['),
  post('/api/entities/Thing/search', '', {}),
  post('/api/entities/Thing/search', '{}', { 'content-type': 'text/plain' }),
  post('/api/entities/Thing/search', '{}', { 'content-encoding': 'gzip' }),
  post('/api/entities/Thing/search', { query: 'x'.repeat(300_000) }),
  post('/api/entities/Thing', { n: 12345678901234567890n.toString() }),
  post('/api/entities/Thing', { n: 7 }, { 'idempotency-key': 'one' }),
  post('/api/entities/Thing', { n: 7 }, { 'idempotency-key': 'one' }),
  post('/api/entities/Thing/batch', [{ n: 8 }, { n: 9 }]),
  { path: '/api/entities/Thing/export?format=csv', method: 'POST' },
  { path: '/api/entities/Thing/export?format=xlsx', method: 'POST' },
  { path: '/api/openapi.json', headers: { 'if-none-match': '*' } },
  post('/api/users/init', { email: 'a@example.com', roles: ['VIEWER'], profile: {} }),
  { path: '/api/auth/csrf' },
  { path: '/api/auth/session' },
  { path: '/api/auth/nope' },
  {
    path: '/api/auth/callback/credentials',
    method: 'POST',
    body: new URLSearchParams({ json: 'true' }),
  },
  { path: '/api/metrics', headers: { authorization: 'Bearer wrong' } },
  { path: '/api/plugins/install/zip', method: 'POST', body: 'not a form' },
]

/** A form with an image, and requests for its file, whole and in part. */
async function uploadAndRead(send: Send, key: string): Promise<unknown[]> {
  const form = new FormData()
  form.set('file', new Blob([(await makeImage('png')) as BlobPart]), 'a.png')
  const auth = { authorization: `Bearer ${key}` }
  const uploaded = await send(
    requestOf({ path: '/api/images/upload', method: 'POST', headers: auth, body: form }),
  )
  const { data } = (await uploaded.json()) as { data: [{ uri: string }] }
  const { pathname } = new URL(data[0].uri, 'http://127.0.0.1')
  const files: Sent[] = [
    { path: pathname },
    { path: pathname, method: 'HEAD' },
    { path: pathname, headers: { range: 'bytes=10-19' } },
    { path: pathname, headers: { range: 'bytes=999999-' } },
    { path: pathname, headers: { 'if-none-match': '*' } },
  ]
  const read = await Promise.all(
    files.map(async (file) => described(await send(requestOf(file)), file.method)),
  )
  return [uploaded.status, ...read]
}

/** An install, its history and its events. */
async function installAndFollow(send: Send, key: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${key}` }
  const body = uploadOf(await archiveOf(pluginFiles(COMPONENTS)))
  const paths = ['', '/1', '/1/logs', '/1/events'].map((end) => `/api/plugins/history${end}`)
  const install = { path: '/api/plugins/install/zip', method: 'POST', headers, body }
  const sent: Sent[] = [install, ...paths.map((path) => ({ path, headers }))]
  const seen: unknown[] = []
  for (const one of sent) seen.push(await described(await send(requestOf(one))))
  return seen
}

const COMPONENTS = {
  EngineEntities: { files: { 'Shop.json': { name: 'Shop' } } },
  Shop: { files: { 'data.json': [{ id: 1 }, { id: 2 }] } },
}

/** What a client sees of all requests, on new data. */
async function seenBy(send: Send): Promise<Record<string, unknown>> {
  const deps = await testDeps()
  const key = await testKey(deps, ['ADMIN'])
  const schema = { properties: [{ name: 'n', type: 'number' }] }
  const records = [1, 2, 3].map((n) => ({ id: n, n }))
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, records)
  const seen: Record<string, unknown> = {}
  for (const [n, sent] of SENT.entries()) {
    const headers = { authorization: `Bearer ${key}`, ...sent.headers }
    const response = await send(requestOf({ ...sent, headers }))
    seen[`${n} ${sent.method ?? 'GET'} ${sent.path}`] = await described(response, sent.method)
  }
  seen.image = await uploadAndRead(send, key)
  seen.install = await installAndFollow(send, key)
  return seen
}

test('the server responds as the handlers alone to files, event streams, forms and faults', async () => {
  expect(await expectSame(seenBy)).toBe(SENT.length + 2)
})
