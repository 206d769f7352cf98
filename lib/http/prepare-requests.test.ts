import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/caller-address'
import { parseEnv } from '@/lib/env'
import { prepareRequests, REFUSED_METHOD_HEADER, readablePath } from './prepare-requests'

describe('the path of a request', () => {
  test.each([
    ['/api/users', '/api/users'],
    ['/a%20b/%C3%BC?x=%', '/a%20b/%C3%BC?x=%'],
    ['/%', '/%25'],
    ['/api/users/%zz?a=%20?b', '/api/users/%25zz?a=%20?b'],
    ['/api/%FF/%41', '/api/%25FF/%2541'],
    ['/%E0%A4%A', '/%25E0%25A4%25A'],
    ['', ''],
  ])('%s is read as %s', (target, read) => {
    expect(readablePath(target)).toBe(read)
  })
})

describe('a server of this process', () => {
  let seen: IncomingHttpHeaders = {}
  let line = ''
  const server = createServer((request, response) => {
    seen = request.headers
    line = `${request.method} ${request.url}`
    response.end()
  })
  beforeAll(async () => {
    prepareRequests(parseEnv({ APP_URL: 'https://engine.example.com' }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  test('passes the address of the socket to handlers, and makes browsers use HTTPS', async () => {
    const { port } = server.address() as AddressInfo
    const headers = { [PEER_HEADER]: '192.0.2.1' }
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers })
    expect(seen[PEER_HEADER]).toBe('127.0.0.1')
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test.each(['TRACE', 'PROPFIND', 'LINK'])('has no handler for %s', async (method) => {
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) =>
      send({ port, method, path: '/api/users' }, (response) =>
        response.resume().on('end', resolve),
      ).end(),
    )
    expect(line).toBe('GET /api')
    expect(seen[REFUSED_METHOD_HEADER]).toBe(method)
  })

  test('lets no client name a refused method', async () => {
    const { port } = server.address() as AddressInfo
    const headers = { [REFUSED_METHOD_HEADER]: 'GET' }
    await fetch(`http://127.0.0.1:${port}/a`, { method: 'PUT', headers })
    expect(line).toBe('PUT /a')
    expect(seen).not.toHaveProperty(REFUSED_METHOD_HEADER)
  })
})
