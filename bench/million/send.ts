import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Call } from '../http/cases'
import { AUTHORIZATION } from '../http/servers'

/** Sends a request and returns the body of its response; unlike `fetch`, it waits as long as it takes. */
export function send(url: string, { method, path, type, body }: Call): Promise<string> {
  const headers = {
    authorization: AUTHORIZATION,
    ...(type ? { 'content-type': type } : {}),
    // Node frames the body of a DELETE only when it knows its length.
    ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (response) => {
      text(response).then((found) => {
        if (response.statusCode && response.statusCode < 300) resolve(found)
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${found.slice(0, 2000)}`))
      }, reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
