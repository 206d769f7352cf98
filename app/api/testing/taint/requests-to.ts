import type { Handler } from '@/lib/http/route'
import { routeFinder } from '@/lib/server/api-handler'
import { ALL_ROUTES } from '../../all-routes'

export type Asked = {
  method: string
  path: string
  headers?: Record<string, string>
  /** JSON, or a form. */
  body?: unknown
}
export type Answer = {
  status: number
  headers: Headers
  bytes: Uint8Array
  text: string
  /** Of JSON. */
  body: Body
}
/** What a test looks into, of whatever form. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of all routes
type Body = any

const find = routeFinder(ALL_ROUTES)

/** The handlers of an address. */
export const handlersOf = ({ path }: Asked) => find(new URL(path, 'http://test.local').pathname)

/** Sends requests with these headers to the handlers of all routes, as a client would, but without a server. */
export const requestsTo =
  (own: Record<string, string>) =>
  async (asked: Asked): Promise<Answer> => {
    const { method, path, headers, body } = asked
    const found = handlersOf(asked)
    const all = new Headers({ 'content-type': 'application/json', ...own, ...headers })
    if (body instanceof FormData || body === undefined) all.delete('content-type')
    const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
    const request = new Request(`http://test.local${path}`, { method, headers: all, body: sent })
    const handler = found?.handlers[method] as Handler
    const response = await handler(request, { params: Promise.resolve(found?.params ?? {}) })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = Buffer.from(bytes).toString()
    const isJson = response.headers.get('content-type')?.includes('json')
    const json = isJson && text ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, bytes, text, body: json }
  }
