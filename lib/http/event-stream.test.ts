import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { apiHandler } from '@/lib/server/api-handler'
import { handleConnections } from '@/lib/server/create-server'
import { listen } from '@/lib/testing/listen'
import { eventStream, type StreamEvent } from './event-stream'

const STALL_MS = 300
const LARGE = 'x'.repeat(1024 * 1024)
const MANY = 128

let close = () => {}
afterEach(() => close())

/** A client of a stream, by a socket of its own, and what was taken of `events` for it. */
async function open(events: (signal: AbortSignal) => AsyncGenerator<StreamEvent>) {
  const state = { taken: 0, isEnded: false }
  async function* counted(signal: AbortSignal) {
    try {
      for await (const event of events(signal)) {
        state.taken++
        yield event
      }
    } finally {
      state.isEnded = true
    }
  }
  const GET = async (request: Request) => eventStream(request, counted)
  const serve = apiHandler({ '/api/x': { GET } }, parseEnv({ APP_URL: 'http://x' }))
  const server = createServer()
  const limits = { stallMs: STALL_MS }
  handleConnections(server, ({ request, response }) => serve(request, response), limits)
  const opened = await listen(server)
  close = opened.close
  const socket = connect(opened.port, '127.0.0.1').on('error', () => {})
  socket.write('GET /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return { socket, state }
}

test('a client that reads nothing gets no more than its connection holds, and is disconnected', async () => {
  const { socket, state } = await open(async function* () {
    for (let id = 0; id < MANY; id++) yield { event: 'change', data: LARGE }
  })
  socket.pause()
  await expect.poll(() => state.isEnded, { timeout: 10_000 }).toBe(true)
  expect(state.taken).toBeGreaterThan(0)
  expect(state.taken).toBeLessThan(MANY / 4)
  socket.resume()
  await once(socket, 'close')
})

test('a client that reads slowly gets all of it', async () => {
  const { socket } = await open(async function* () {
    for (let id = 0; id < 4; id++) yield { event: 'change', data: LARGE }
  })
  let bytes = 0
  socket.on('data', (chunk) => {
    const resumes = Math.floor(bytes / LARGE.length)
    bytes += chunk.length
    if (Math.floor(bytes / LARGE.length) === resumes) return
    socket.pause()
    setTimeout(() => socket.resume(), STALL_MS / 10)
  })
  await once(socket, 'close')
  expect(bytes).toBeGreaterThan(4 * LARGE.length)
})

test('a quiet stream goes on for as long as there are no changes, and ends with its client', async () => {
  const { socket, state } = await open(async function* (signal) {
    yield { event: 'cursor', data: 1 }
    await pause(3 * STALL_MS)
    yield { event: 'change', data: 2 }
    await once(signal, 'abort')
  })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text, { timeout: 5_000 }).toContain('data: 2')
  expect(state.isEnded).toBe(false)
  socket.destroy()
  await expect.poll(() => state.isEnded).toBe(true)
})
