import type { IncomingMessage } from 'node:http'

/** Sets a header of a received request, in lower case, in place of any that the client sent. */
export function setRequestHeader(request: IncomingMessage, name: string, value: string): void {
  const { rawHeaders } = request
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const other = rawHeaders[at] as string
    if (other.length === name.length && other.toLowerCase() === name) rawHeaders.splice(at, 2)
  }
  rawHeaders.push(name, value)
  request.headers[name] = value
}
