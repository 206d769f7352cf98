import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/caller-address'
import { prepareRequests, readablePath } from './prepare-requests'

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
  const server = createServer((request, response) => {
    seen = request.headers
    response.end()
  })
  beforeAll(async () => {
    prepareRequests({ APP_URL: 'https://engine.example.com', PORT: 3000 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  test('tells handlers the address of the socket, and browsers to come by HTTPS', async () => {
    const { port } = server.address() as AddressInfo
    const headers = { [PEER_HEADER]: '192.0.2.1' }
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers })
    expect(seen[PEER_HEADER]).toBe('127.0.0.1')
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
})
