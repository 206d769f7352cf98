import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseEnv } from '@/lib/env'
import { readBytes } from '@/lib/http/body'
import type { Handler } from '@/lib/http/route'
import { listen } from '@/lib/testing/listen'
import { ApiRequest, apiHandler } from './api-handler'
import { createEngineServer } from './create-server'

let handler: Handler
let port: number
let close: () => void
const GET: Handler = (...call) => handler(...call)
beforeAll(async () => {
  const settings = parseEnv({ APP_URL: 'https://engine.example.com' })
  const serveApi = apiHandler(
    { '/api/x': { GET, POST: GET }, '/api/[[...path]]': { GET } },
    settings,
  )
  const server = createEngineServer(settings, { serveApi, servePage: serveApi })
  ;({ port, close } = await listen(server))
})
afterAll(() => close())

const visit = (path = '/api/x', init?: RequestInit) =>
  fetch(`http://127.0.0.1:${port}${path}`, init)

test('a response has its status text, its length, all its cookies and the common headers', async () => {
  handler = async () => {
    const headers = new Headers({ 'X-Frame-Options': 'SAMEORIGIN' })
    headers.append('Set-Cookie', 'a=1')
    headers.append('Set-Cookie', 'b=2')
    return new Response(new Blob(['äöü']).stream(), { status: 201, headers })
  }
  const { statusText, headers } = await visit()
  expect(statusText).toBe('Created')
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('the declared length of a file is kept', async () => {
  handler = async () =>
    new Response(new Blob(['12345']).stream(), { headers: { 'Content-Length': '5' } })
  const { headers } = await visit()
  expect(headers.get('content-length')).toBe('5')
  expect(headers.get('transfer-encoding')).toBeNull()
})

test.each([
  ['/api/x/', '/api/x'],
  ['/api//x?a=//', '/api/x?a=//'],
  ['/api/', '/api'],
])('%s is redirected to %s', async (path, location) => {
  const response = await visit(path, { redirect: 'manual' })
  expect(response.status).toBe(308)
  expect(response.headers.get('location')).toBe(location)
})

test('a response that cannot be sent ends its connection alone', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const parts = { status: 200, headers: ['location', 'a\nb'], body: '' }
  handler = async () => ({ _toNodeResponse: () => parts }) as unknown as Response
  await expect(visit()).rejects.toThrow('fetch failed')
  expect(String(written.mock.calls[0])).toContain('A response cannot be sent')
  written.mockRestore()
  handler = async () => new Response('again')
  expect(await (await visit()).text()).toBe('again')
})

test('a handler that throws is a 500 in the envelope, without its message', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  handler = async () => {
    throw new Error('a secret')
  }
  const response = await visit()
  written.mockRestore()
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(JSON.parse(text)).toMatchObject({ code: 500, data: [] })
  expect(text).not.toContain('secret')
})

test('a body that fails breaks the connection', async () => {
  handler = async () => {
    let sent = false
    const body = new ReadableStream({
      pull: (controller) => {
        if (sent) controller.error(new Error('broken'))
        else controller.enqueue(new TextEncoder().encode('part'))
        sent = true
      },
    })
    return new Response(body)
  }
  await expect(visit().then((response) => response.text())).rejects.toThrow()
})

test('a client that leaves ends the request and the stream of its response', async () => {
  let cancelled = () => {}
  const ended = new Promise<void>((resolve) => {
    cancelled = resolve
  })
  let aborted = false
  handler = async (request) => {
    request.signal.addEventListener('abort', () => {
      aborted = true
    })
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
        cancel: () => cancelled(),
      }),
    )
  }
  const asked = send({ port, path: '/api/x' }).end()
  const [response] = await once(asked, 'response')
  await once(response, 'data')
  asked.destroy()
  await ended
  await vi.waitFor(() => expect(aborted).toBe(true))
})

test('a body is not read ahead of its handler', async () => {
  let proceed = () => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  handler = async (request) => {
    const body = request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    await held
    let bytes = 0
    for (;;) {
      const { done, value } = await body.read()
      if (done) return new Response(String(bytes))
      bytes += value.length
    }
  }
  const length = 64 * 1024 * 1024
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(length))
  await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0))
  expect(socket.writableLength).toBeGreaterThan(length / 4) // the kernel's buffers are smaller
  proceed()
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toContain(String(length))
})

describe('a body', () => {
  const text = 'ä'.repeat(1000)
  const long = text.repeat(200)
  const streams = vi.spyOn(ApiRequest.prototype, 'body', 'get')
  beforeEach(() => {
    streams.mockClear()
    handler = async (request) => {
      const bytes = await readBytes(request, { maxBytes: 1_000_000, timeoutMs: 5_000 })
      return new Response(bytes as BodyInit)
    }
  })

  test('that comes with its headers is read without a stream', async () => {
    expect(await (await visit('/api/x', { method: 'POST', body: text })).text()).toBe(text)
    expect(streams).not.toHaveBeenCalled()
  })

  test('that is long, or comes later, is read as it arrives', async () => {
    expect(await (await visit('/api/x', { method: 'POST', body: long })).text()).toBe(long)
    const request = send({ port, path: '/api/x', method: 'POST' })
    request.flushHeaders()
    await expect.poll(() => streams.mock.calls.length).toBeGreaterThan(1)
    request.end(text)
    const [response] = await once(request, 'response')
    let received = ''
    for await (const piece of response.setEncoding('utf8')) received += piece
    expect(received).toBe(text)
  })

  test('that is too large is refused, however it comes', async () => {
    for (const body of [text, long]) {
      handler = (request) =>
        readBytes(request, { maxBytes: 1999, timeoutMs: 5_000 }).then(
          () => new Response('taken'),
          ({ code }) => new Response(code),
        )
      const response = await visit('/api/x', { method: 'POST', body })
      expect(await response.text()).toBe('too_large')
    }
  })
})
