import { FastResponse } from 'srvx/node'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { apiHandler, routeFinder } from '@/lib/server/api-handler'
import { createEngineServer } from '@/lib/server/create-server'
import { testDeps } from '@/lib/testing/deps'
import { listen } from '@/lib/testing/listen'
import { ALL_ROUTES } from '../all-routes'

export type Sent = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: BodyInit
}
export type Send = (request: Request) => Promise<Response>

const NativeResponse = globalThis.Response
export const requestOf = ({ path, ...init }: Sent) =>
  new Request(`http://127.0.0.1:${port}${path}`, init)

const find = routeFinder(ALL_ROUTES)
const plainly: Send = async (request) => {
  const found = find(new URL(request.url).pathname)
  const handler = found?.handlers[request.method] as Handler
  return handler(request, { params: Promise.resolve(found?.params) })
}

let port: number
let close: () => void
beforeAll(async () => {
  const { settings } = await testDeps()
  const serveApi = apiHandler(ALL_ROUTES, settings)
  const server = createEngineServer(settings, { serveApi, servePage: serveApi })
  ;({ port, close } = await listen(server))
})
afterAll(() => close())

/** Everything of a response that does not differ between two equal ones. */
export async function described(response: Response, method = 'GET') {
  const headers = [...response.headers].filter(([name]) => !OF_THE_SERVER.has(name)).sort()
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = method === 'HEAD' ? '' : bytes.toString('latin1') // never sent
  const body = /^PK|metrics/.test(text) ? text.length > 0 : steady(text)
  return { status: response.status, headers: steady(JSON.stringify(headers)), body }
}

const OF_THE_SERVER = new Set([
  ...['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length'],
  ...['x-frame-options', 'x-content-type-options', 'referrer-policy', 'permissions-policy'],
])

/** Without what differs each time: times, random identifiers and tokens. */
const steady = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<time>')
    // Written in batches: a key may have been used, and that not be stored yet.
    .replace(/"lastUsedAt":null/g, '"lastUsedAt":"<time>"')
    .replace(/"(timestamp|durationMs|iat|exp|createdAt)":\d+/g, '"$1":0')
    .replace(/dur=[\d.]+/g, 'dur=0')
    // Counts of the present moment.
    .replace(/"finding":"[^"]*"/g, '"finding":"<text>"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<uuid>')
    .replace(/[0-9a-f]{64}/g, '<hash>')
    .replace(/\b[0-9a-f]{20,24}\b/g, '<hash>')
    .replace(/\beng_[\w-]{8}/g, '<prefix>')
    .replace(/\bscim_[\w-]+/g, '<token>')
    .replace(/test-[\w-]+/g, '<test>')

/** What a client sees, on new data each time: from the handlers alone, and from the server. */
export async function expectSame(seenBy: (send: Send) => Promise<Record<string, unknown>>) {
  const expected = await seenBy(plainly)
  globalThis.Response = FastResponse as unknown as typeof Response
  const received = await seenBy((request) => fetch(request)).finally(() => {
    globalThis.Response = NativeResponse
  })
  for (const [name, one] of Object.entries(expected))
    expect.soft({ [name]: received[name] }).toEqual({ [name]: one })
  return Object.keys(expected).length
}
