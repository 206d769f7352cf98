import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { currentBudget } from '@/lib/db/budget'
import { parseEnv } from '@/lib/env'
import { testDeps } from '@/lib/testing/deps'
import { isPage } from './admit-page'
import { createEngineServer, type Serve } from './create-server'

const READ_MS = 500
const WAIT_MS = 200
let listener: RequestListener
let server: Server
const port = () => (server.address() as AddressInfo).port
const sockets: Socket[] = []

beforeAll(async () => {
  const limits = { READ_TIMEOUT_MS: String(READ_MS), QUEUE_WAIT_MS: String(WAIT_MS) }
  const serve: Serve = (request, response) => void listener(request, response)
  const settings = parseEnv({ ...limits, MAX_CONNECTIONS_PER_ADDRESS: '40' })
  server = createEngineServer(settings, { serveApi: serve, servePage: serve })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (text: string): Socket => {
  const socket = connect(port(), '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  socket.write(text)
  return socket
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const visit = (path: string) => fetch(`http://127.0.0.1:${port()}${path}`)

test.each([
  ['/login', true],
  ['/', true],
  ['/apis', true],
  ['/_next/image?url=x', true],
  ['/api', false],
  ['/api?x', false],
  ['/api/users', false],
  ['/_next/static/a.js', false],
])('%s is a page: %s', (url, expected) => {
  expect(isPage(url)).toBe(expected)
})

test('requests of one connection run one after another, with responses in order', async () => {
  let running = 0
  let most = 0
  listener = (request, response) => {
    most = Math.max(most, ++running)
    setImmediate(() => {
      running--
      response.end(`<${request.url}>`)
    })
  }
  const paths = Array.from({ length: 100 }, (_, n) => (n % 2 ? `/p${n}` : `/api/x${n}`))
  const socket = open(paths.map(get).join(''))
  let text = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes(`<${paths.at(-1)}>`)) resolve()
    })
  })
  expect([...text.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual(paths)
  expect(most).toBe(1)
})

test('a request that waits behind another one gets its body', async () => {
  listener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end(`<${Buffer.concat(chunks).length}>`)
  }
  const length = 300_000
  const post = `POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`
  const socket = open(get('/api/x') + post + get('/api/x') + post)
  let text = ''
  while ([...text.matchAll(/<\d+>/g)].length < 4) text += (await once(socket, 'data'))[0]
  expect([...text.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))).toEqual([0, length, 0, length])
})

test('a connection that sends more than can wait is closed', async () => {
  let started = 0
  listener = () => started++
  const socket = open(get('/api/x').repeat(500)).resume()
  await once(socket, 'close')
  expect(started).toBe(1)
})

test('pages beyond the limit of an address wait, then are a 503 page; the API is served', async () => {
  const drawing: ServerResponse[] = []
  listener = (request, response) => {
    if (request.url?.startsWith('/api/')) response.end()
    else drawing.push(response)
  }
  for (let n = 0; n < 16; n++) open(get('/login'))
  await vi.waitFor(() => expect(drawing).toHaveLength(16))
  const refused = await visit('/login')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.headers.get('content-type')).toContain('text/html')
  expect(await refused.text()).toContain('too many pages')
  expect((await visit('/api/x')).status).toBe(200)
})

test('a page whose client has left releases its slot', async () => {
  let drawn = 0
  listener = () => drawn++
  for (let n = 0; n < 16; n++) open(get('/login'))
  await vi.waitFor(() => expect(drawn).toBe(16))
  for (const socket of sockets.splice(0)) socket.destroy()
  listener = (_, response) => response.end('drawn')
  expect(await (await visit('/login')).text()).toBe('drawn')
})

test('a page that hangs is a 503 page in time, whatever is written afterwards', async () => {
  let late: ServerResponse | undefined
  listener = (_, response) => {
    late = response
  }
  const response = await visit('/users')
  expect(response.status).toBe(503)
  late?.setHeader('X-Late', '1').writeHead(500)
  late?.end('late')
  expect(await response.text()).toContain('longer than 0.5 seconds')
})

test('the statements of a page end in time, with the 503 page', async () => {
  const { db, dialect } = await testDeps()
  const slow = dialect === 'postgres' ? sql`select pg_sleep(30)` : sql`select 1`
  listener = async (_, response) => {
    expect(currentBudget().deadline).toBeLessThan(Infinity)
    try {
      for (;;) await db.execute(slow)
    } catch {
      response.writeHead(500).end('as Next does')
    }
  }
  const response = await visit('/users')
  expect(response.status).toBe(503)
})

test('connections of an address beyond its share are refused', async () => {
  listener = () => {}
  for (let n = 0; n < 40; n++) open('')
  let text = ''
  const socket = open('').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  expect(text).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1.*Too many connections/s)
})
