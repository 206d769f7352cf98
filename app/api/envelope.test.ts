import { beforeEach, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { freshDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as anything from './[[...path]]/route'
import * as forgetPassword from './auth/forget-password/route'
import * as batch from './entities/[entityName]/batch/route'
import * as search from './entities/[entityName]/search/route'

const deps = freshDeps({ MAX_JSON_BYTES: '2000' })
let authorization: string
beforeEach(async () => {
  authorization = `Bearer ${await testKey(deps, ['ADMIN'])}`
  await installTestEntity(deps, { entity: { name: 'Thing' } }, [{ id: 1 }])
})

const JSON_TYPE = { 'content-type': 'application/json' }
type Sent = { body?: string; headers?: Record<string, string> }

async function send(routes: object, method: string, { body, headers = JSON_TYPE }: Sent) {
  const handler = (routes as Record<string, Handler>)[method] as Handler
  return call(deps, handler, {
    method,
    path: '/api/entities/Thing/search',
    body,
    headers: { authorization, ...headers },
    params: routes === anything ? { path: ['nope'] } : { entityName: 'Thing' },
  })
}

test.each<[string, object, string, Sent, number, string, string | RegExp]>([
  ['no body', search, 'POST', {}, 400, 'BAD_REQUEST', 'The request needs a JSON body'],
  [
    'malformed JSON',
    search,
    'POST',
    { body: '{\n"query": [}' },
    400,
    'BAD_REQUEST',
    /^The body is not valid JSON: .* at line 2, column 11 \(position 12\)$/,
  ],
  ['two values', search, 'POST', { body: '{} {}' }, 400, 'BAD_REQUEST', /position 3\)$/],
  [
    'endless nesting',
    search,
    'POST',
    { body: '['.repeat(900) + ']'.repeat(900) },
    400,
    'BAD_REQUEST',
    /Nested deeper than 500 levels/,
  ],
  ['a list', search, 'POST', { body: '[]' }, 400, 'BAD_REQUEST', /expected object/],
  [
    'another content type',
    search,
    'POST',
    { body: '{}', headers: { 'content-type': 'text/plain' } },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json',
  ],
  [
    'too large a body',
    batch,
    'DELETE',
    { body: `{"entity":"Thing","x":"${'x'.repeat(2000)}"}` },
    413,
    'PAYLOAD_TOO_LARGE',
    /^The body is larger than/,
  ],
  ['another method', search, 'PATCH', {}, 405, 'METHOD_NOT_ALLOWED', /use POST, OPTIONS$/],
  ['an unknown address', anything, 'POST', {}, 404, 'NOT_FOUND', /^There is nothing at POST/],
  [
    'a bad key',
    search,
    'POST',
    { body: '{}', headers: { ...JSON_TYPE, authorization: 'Bearer eng_x' } },
    401,
    'UNAUTHORIZED',
    /API key/,
  ],
])('%s gets a response in the envelope', async (_, routes, method, sent, code, status, error) => {
  const response = await send(routes, method, sent)
  expect(response.status).toBe(code)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(response.body).toMatchObject({
    data: [],
    timestamp: expect.any(Number),
    code,
    status,
    meta: {},
    error: typeof error === 'string' ? error : expect.stringMatching(error),
  })
  const { body } = await send(search, 'POST', { body: '{}' })
  expect(body.pagination.total).toBe(1)
})

test('OPTIONS names the methods, HEAD has no body, and both have a request id', async () => {
  const options = await send(search, 'OPTIONS', {})
  expect(options).toMatchObject({ status: 204, text: '' })
  expect(options.headers.get('allow')).toBe('POST, OPTIONS')
  expect(options.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const head = await send(search, 'HEAD', {})
  expect(head.status).toBe(405)
})

test.skipIf(testsOfCore())(
  'Server-Timing says where the time of a request went, but to strangers only how long it took',
  async () => {
    const refused = await send(search, 'POST', { body: '{' })
    expect(refused.headers.get('server-timing')).toMatch(/total;dur=\d+\.\d$/)
    const { headers } = await send(search, 'POST', { body: '{}' })
    const timing = headers.get('server-timing') ?? ''
    expect(timing).toMatch(/^auth;dur=[\d.]+, parse;dur=[\d.]+, db;dur=[\d.]+, total;dur=[\d.]+$/)
    const [, parse, db, total] = [...timing.matchAll(/dur=([\d.]+)/g)].map(([, ms]) => Number(ms))
    expect(db).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(parse ?? Infinity)
    const forgotten = await send(forgetPassword, 'POST', {
      body: '{"email":"someone@example.com"}',
    })
    expect(forgotten.headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/)
  },
)
