import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleConnections } from './create-server'

const QUIET_MS = 100
let listener: RequestListener
const server = createServer()

beforeAll(async () => {
  const limits = { stallMs: QUIET_MS, restMs: QUIET_MS }
  handleConnections(server, ({ request, response }) => listener(request, response), limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const send = (text: string): Socket => {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(text)
  return socket
}
const GET = 'GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n'
const POST = 'POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'

test('a client that does not read its response is disconnected', async () => {
  const bytes = 64 * 1024 * 1024
  const closed = new Promise<void>((resolve) => {
    listener = (_, response) => response.on('close', resolve).end(Buffer.alloc(bytes))
  })
  const socket = send(GET).pause()
  await closed
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  expect(received).toBeLessThan(bytes)
})

test('a slow response is waited for, and idle connections are closed', async () => {
  listener = (_, response) => setTimeout(() => response.end('late'), 5 * QUIET_MS)
  const socket = send(GET)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  expect(Buffer.concat(chunks).toString()).toMatch(/200 OK.*late/s)
})

test('a body that continues after its response is cut off', async () => {
  listener = (_, response) => response.writeHead(401).end()
  const socket = send(POST).resume()
  await once(socket, 'close')
})

test('a page waits for no body', async () => {
  listener = (request, response) => request.resume().on('end', () => response.end())
  const socket = send(POST.replace('/api/x', '/login')).resume()
  await once(socket, 'close')
})

test('a connection keeps nothing of requests whose bodies came after their responses', async () => {
  let served: Socket | undefined
  listener = ({ socket }, response) => {
    served = socket
    response.writeHead(401, { 'Content-Length': 0 }).end()
  }
  const socket = send('')
  const counts: (number | undefined)[] = []
  for (let n = 0; n < 5; n++) {
    socket.write(POST)
    await once(socket, 'data')
    socket.write(' '.repeat(999))
    socket.write(GET)
    await once(socket, 'data')
    counts.push(served?.listenerCount('close'))
  }
  socket.destroy()
  expect(new Set(counts).size).toBe(1)
})
