import { type ServerResponse, STATUS_CODES } from 'node:http'
import { sendNodeResponse } from 'srvx/node'

/** Headers are a flat list of names, in lower case, and values. */
type Parts = { status: number; headers: string[]; body?: unknown }

/**
 * Sends a handler's response, and of `common` the headers that it does not have. A body that fails
 * breaks the connection, so that no client takes a part for the whole.
 */
export function sendResponse(
  to: ServerResponse,
  response: Response,
  common: readonly [name: string, value: string][],
): void {
  const { status, headers, body } = partsOf(response)
  const statusText = STATUS_CODES[status] ?? ''
  for (const [name, value] of common) if (!hasHeader(headers, name)) headers.push(name, value)
  if (body instanceof ReadableStream) {
    const parts = { _toNodeResponse: () => ({ status, statusText, headers, body }) }
    void sendNodeResponse(to, parts as unknown as Response)
  } else to.writeHead(status, statusText, headers).end(body)
}

/** Of srvx's own `Response`, without making a stream of its body; see `fast-response.ts`. */
function partsOf(response: Response & { _toNodeResponse?: () => Parts }): Parts {
  if (response._toNodeResponse) return response._toNodeResponse()
  return { status: response.status, headers: [...response.headers].flat(), body: response.body }
}

function hasHeader(headers: string[], name: string): boolean {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return true
  return false
}
