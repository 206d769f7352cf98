import { once } from 'node:events'
import { type IncomingMessage, type Server, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { parseEnv } from '@/lib/env'
import { createEngineServer, type Serve } from './create-server'

let seen: IncomingMessage
let served = ''
const note =
  (by: string): Serve =>
  (request, response) => {
    seen = request
    served = `${by} ${request.method} ${request.url}`
    response.end()
  }
let server: Server
let port: number
beforeAll(async () => {
  const settings = parseEnv({ APP_URL: 'https://engine.example.com' })
  server = createEngineServer(settings, { serveApi: note('api'), servePage: note('page') })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const visit = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

/** The response to text that is sent as it is, until the connection closes. */
async function exchange(text: string): Promise<{ status: number; body: { error: string } }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  const [head = '', body = ''] = received.split('\r\n\r\n')
  expect(head).toContain('Connection: close')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

test('passes the address of the socket to handlers, and makes browsers use HTTPS', async () => {
  const response = await visit('/login', { headers: { [PEER_HEADER.toUpperCase()]: '192.0.2.1' } })
  expect(seen.headers[PEER_HEADER]).toBe('127.0.0.1')
  expect(seen.rawHeaders.filter((name) => name.toLowerCase() === PEER_HEADER)).toHaveLength(1)
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test.each([
  ['/api', 'api GET /api'],
  ['/api?x', 'api GET /api?x'],
  ['/api/users/%zz', 'api GET /api/users/%25zz'],
  ['/apis', 'page GET /apis'],
  ['/schemas/entity.json', 'api GET /schemas/entity.json'],
  ['/schemas-of-mine', 'page GET /schemas-of-mine'],
  ['/login', 'page GET /login'],
  ['/_next/static/a.js', 'page GET /_next/static/a.js'],
])('%s is served as %s', async (path, expected) => {
  await visit(path)
  expect(served).toBe(expected)
})

test.each(['TRACE', 'PROPFIND', 'LINK'])('%s is not allowed anywhere', async (method) => {
  served = ''
  const [response] = (await once(send({ port, method, path: '/login' }).end(), 'response')) as [
    IncomingMessage,
  ]
  const [text] = await once(response, 'data')
  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toContain('GET')
  expect(JSON.parse(text)).toMatchObject({ code: 405, status: 'METHOD_NOT_ALLOWED', data: [] })
  expect(served).toBe('')
})

test('an offered upgrade is ignored, as clients expect that offer HTTP/2', async () => {
  const headers = { connection: 'upgrade, http2-settings', upgrade: 'h2c' }
  const [response] = (await once(send({ port, path: '/api/x', headers }).end(), 'response')) as [
    IncomingMessage,
  ]
  expect(response.statusCode).toBe(200)
  response.resume()
})

describe('in the envelope is refused', () => {
  test.each<[string, string, number, RegExp]>([
    ['what is not HTTP', 'hello\r\n\r\n', 400, /not valid HTTP/],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, /unknown method/],
    ['a request without a host', 'GET /api HTTP/1.1\r\n\r\n', 400, /Host/],
    ['a host that is none', 'GET /api HTTP/1.1\r\nHost: 99999999999\r\n\r\n', 400, /no host/],
    [
      'a request with two hosts',
      'GET /api HTTP/1.1\r\nHost: a\r\nhOsT: b\r\n\r\n',
      400,
      /one Host/,
    ],
    ['a bad header', 'GET /api HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n', 400, /not valid HTTP/],
    [
      'headers that are too large',
      `GET /api HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      /larger than 16 KiB/,
    ],
    ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 405, /no proxy/],
    ['an expectation', 'GET /api HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417, /100-continue/],
    [
      'two lengths',
      'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      /not valid HTTP/,
    ],
  ])('%s', async (_, text, status, error) => {
    const response = await exchange(text)
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({
      data: [],
      code: status,
      error: expect.stringMatching(error),
    })
  })
})

test('time-outs are set: headers, whole requests, idle connections', () => {
  expect(server.headersTimeout).toBe(20_000)
  expect(server.requestTimeout).toBe(7_200_000)
  expect(server.keepAliveTimeout).toBe(65_000)
  expect(server.timeout).toBe(60_000)
})
