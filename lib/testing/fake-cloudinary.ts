import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeCloud, type FakeObject } from './fake-cloudinary-cloud'
import { deliver } from './fake-cloudinary-delivery'
import { readFields } from './fake-cloudinary-form'

/**
 * How the next requests fail: a response of 500, none at all, a connection cut before or after
 * the work is done, a response that is no JSON, a refusal that would be repeated, the rate limit.
 */
export type Fault = 'error' | 'hang' | 'reset' | 'reset after' | 'garbage' | 'refuse' | 'limit'

export type FakeCloudinary = {
  /** For `CLOUDINARY_URL`. */
  url: string
  /** What is stored, `{ public id → object }`. */
  objects: Map<string, FakeObject>
  /** Every request to the API, in order. */
  requests: { action: string; fields: Record<string, string> }[]
  /** Makes the next requests fail in these ways, one each. */
  fail(...faults: Fault[]): void
  close(): Promise<void>
}

/**
 * A server that behaves like Cloudinary's upload and admin API and its delivery, as far as we use them:
 * it checks keys, signatures and times, stores uploads, and returns the same shapes.
 */
export async function startFakeCloudinary(): Promise<FakeCloudinary> {
  const cloud = new FakeCloud()
  const faults: Fault[] = []
  const requests: FakeCloudinary['requests'] = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://fake')
    if (!pathname.startsWith('/v1_1/')) return send(cloud, pathname, response)
    const { file, fields } = await readFields(request).catch(() => ({ file: null, fields: {} }))
    const action = pathname.split('/').slice(3).join('/')
    requests.push({ action, fields })
    const fault = faults.shift()
    if (fault && !misbehave(fault, request, response)) return
    const { status, body } = await cloud.respond(request, pathname, fields, file)
    if (fault === 'reset after') return request.socket.destroy()
    reply(response, status, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  cloud.address = address
  return {
    url: `cloudinary://${cloud.key}:${cloud.secret}@${cloud.name}?upload_prefix=${address}`,
    objects: cloud.objects,
    requests,
    fail: (...next) => void faults.push(...next),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** False when the request already has its response. */
function misbehave(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault) {
    case 'reset after':
      return true
    case 'hang':
      return false
    case 'reset':
      request.socket.destroy()
      return false
    case 'garbage':
      response.writeHead(200).end('<html>')
      return false
    case 'error':
      reply(response, 500, { error: { message: 'Internal detail of the provider' } })
      return false
    case 'limit':
      reply(response, 420, { error: { message: 'Rate limit exceeded' } })
      return false
    case 'refuse':
      reply(response, 401, { error: { message: 'unknown api_key 123' } })
      return false
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function send(cloud: FakeCloud, pathname: string, response: ServerResponse): Promise<void> {
  const found = await deliver(cloud.objects, pathname).catch(() => null)
  if (found) response.writeHead(200, { 'Content-Type': found.mediaType }).end(found.bytes)
  else response.writeHead(404).end()
}
