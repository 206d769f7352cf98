import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addRoute, createRouter, findRoute } from 'rou3'
import { NodeRequest } from 'srvx/node'
import { reasonOf } from '@/lib/db/errors'
import type { Env } from '@/lib/env'
import { errorResponse, toFailure } from '@/lib/http/errors'
import type { Handler } from '@/lib/http/route'
import type { Routes } from '@/lib/openapi/api-document'
import { parsedOnce } from '@/lib/values/parsed-once'
import type { Serve } from './create-server'
import { apiHeaders } from './own-headers'
import { sendResponse } from './send-response'

/** Serves requests by the handlers of `routes`; unknown paths by that of `/api/[[...path]]`. */
export function apiHandler(routes: Routes, settings: Pick<Env, 'APP_URL' | 'PORT'>): Serve {
  const headers = apiHeaders(settings)
  const find = parsedOnce(routeFinder(routes))
  const unknown: FoundRoute = {
    handlers: routes[UNKNOWN] ?? {},
    params: {},
    pattern: '/api/[...path]',
  }
  return (request, response) => {
    const target = request.url as string
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const plain = plainPath(path)
    if (plain !== path) {
      redirect(response, plain + target.slice(path.length))
      return
    }
    const found = find(path) ?? unknown
    handle(found, new ApiRequest(request, response, { path, routePattern: found.pattern }))
      .then((made) => sendResponse(response, made, headers))
      .catch((thrown) => breakOff(response, thrown))
  }
}

const UNKNOWN = '/api/[[...path]]'

/** As Next's pages: without empty segments, and without a slash at the end. */
const plainPath = (path: string): string =>
  path.includes('//') || path.endsWith('/') ? path.replace(/\/{2,}/g, '/').replace(/\/$/, '') : path

function redirect(response: ServerResponse, location: string): void {
  const requestId = crypto.randomUUID()
  response
    .writeHead(308, { Location: location, 'Content-Length': 0, 'X-Request-Id': requestId })
    .end()
}

/** A response that can't be sent, such as one with an invalid header, must not end the process. */
function breakOff(response: ServerResponse, thrown: unknown): void {
  process.stderr.write(`A response cannot be sent: ${reasonOf(thrown)}\n`)
  response.destroy()
}

/** Handlers make responses of their errors; one that throws all the same is faulty. */
async function handle({ handlers, params }: FoundRoute, request: Request): Promise<Response> {
  try {
    const handler = handlers[request.method] as Handler
    return await handler(request, { params: Promise.resolve(params) })
  } catch (thrown) {
    const requestId = crypto.randomUUID()
    process.stderr.write(`${requestId}: ${reasonOf(thrown)}\n`)
    return errorResponse(toFailure(thrown, requestId))
  }
}

type Handlers = Routes[string]
/** `pattern`: as metrics name the route. */
export type FoundRoute = {
  handlers: Handlers
  params: Record<string, string | string[]>
  pattern: string
}

const LIST = /\[\.\.\.(\w+)\]/

/**
 * A function that finds the handlers of a path and its decoded parameters, by Next's rules: a fixed
 * segment comes before a parameter, and that before a list. Null for a path without a route.
 */
export function routeFinder(routes: Routes): (pathname: string) => FoundRoute | null {
  const router = createRouter<{ handlers: Handlers; pattern: string; list: string | undefined }>()
  for (const [path, handlers] of Object.entries(routes)) {
    const list = LIST.exec(path)?.[1]
    const pattern = list ? `/api/[...${list}]` : path
    addRoute(router, '', patternOf(path), { handlers, pattern, list })
  }
  return (pathname) => {
    const found = findRoute(router, '', pathname)
    if (!found) return null
    const { handlers, pattern, list } = found.data
    return { handlers, pattern, params: decodeParams(found.params ?? {}, list) }
  }
}

const patternOf = (path: string): string =>
  path
    .replace(/\[\[\.\.\.\w+\]\]/, '**')
    .replace(LIST, '**:$1')
    .replace(/\[(\w+)\]/g, ':$1')

function decodeParams(
  params: Record<string, string>,
  list: string | undefined,
): FoundRoute['params'] {
  const decoded: FoundRoute['params'] = {}
  for (const name in params) {
    const value = params[name] ?? ''
    decoded[name] = name === list ? value.split('/').map(decode) : decode(value)
  }
  return decoded
}

const decode = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)

/** A received request as handlers take it. Reads its body no faster than the handler does. */
export class ApiRequest extends NodeRequest {
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined

  readonly path: string
  readonly routePattern: string

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    { path, routePattern }: { path: string; routePattern: string },
  ) {
    super({ req: incoming, res: outgoing })
    this.path = path
    this.routePattern = routePattern
  }

  /** As its signal, which is made at the first use. */
  get hasLeft(): boolean {
    const { incoming, outgoing } = this
    if (outgoing.writableEnded) return false
    const isCutOff = incoming.destroyed && !incoming.complete
    return outgoing.destroyed || incoming.errored !== null || isCutOff
  }

  /** The whole body where it has arrived, as short ones have with their headers; null otherwise, and when it is being read. */
  async received(): Promise<Uint8Array | null> {
    // What came with the headers is handed over after them, in the same turn of the event loop.
    if (!this.incoming.complete) await nextTurn()
    if (this.#stream || !this.incoming.complete || this.incoming.readableDidRead) return null
    return this.incoming.read() ?? new Uint8Array()
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (BODILESS.has(this.method)) return null
    this.#stream ??= streamOf(this.incoming)
    return this.#stream
  }
}

const BODILESS = new Set(['GET', 'HEAD'])

/** Node's `Readable.toWeb` counts chunks where it means bytes, and so reads far ahead. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // Closes the connection, since the next request can't be found without reading the rest.
    cancel: async () => void (await chunks.return?.()),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
