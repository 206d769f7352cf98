import type { ServerResponse } from 'node:http'
import { reasonOf } from '@/lib/db/errors'
import type { Env } from '@/lib/env'
import { errorResponse, toFailure } from '@/lib/http/errors'
import type { Handler } from '@/lib/http/route'
import type { Routes } from '@/lib/openapi/api-document'
import { ApiRequest } from './api-request'
import type { Serve } from './create-server'
import { type FoundRoute, routeFinder } from './find-route'
import { apiHeaders } from './own-headers'
import { sendResponse } from './send-response'

/** Serves requests by the handlers of `routes`; unknown paths by that of `/api/[[...path]]`. */
export function apiHandler(routes: Routes, settings: Pick<Env, 'APP_URL' | 'PORT'>): Serve {
  const headers = apiHeaders(settings)
  const find = routeFinder(routes)
  const unknown: FoundRoute = { handlers: routes['/api/[[...path]]'] ?? {}, params: {} }
  return (request, response) => {
    const target = request.url as string
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const plain = plainPath(path)
    if (plain !== path) redirect(response, plain + target.slice(path.length))
    else
      handle(find(path) ?? unknown, new ApiRequest(request, response))
        .then((made) => sendResponse(response, made, headers))
        .catch((thrown) => breakOff(response, thrown))
  }
}

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
