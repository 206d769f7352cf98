import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { listen } from '@/lib/testing/listen'

/** Of a message. */
type Data = {
  key: string | null
  action: string
  after: Record<string, unknown> | null
  counts: object | null
}

export type Received = {
  path: string
  headers: Record<string, string>
  body: string
  json: { type: string; timestamp: string; data: Data }
}

type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A receiver on this machine, which answers as the test says; `received` has what came, in its order. */
export async function receiver(answer: Answer = (response) => response.end()) {
  const received: Received[] = []
  const state = { answer }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const headers = request.headers as Record<string, string>
    const one = { path: request.url ?? '', headers, body, json: JSON.parse(body) }
    received.push(one)
    state.answer(response, one, request)
  })
  const { port, close } = await listen(server)
  closing.push(close)
  const host = `127.0.0.1:${port}`
  const keys = () => received.map(({ json }) => `${json.type} ${json.data.key ?? ''}`.trim())
  return { url: `http://${host}/hook`, host, received, state, keys, close }
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body)
