import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { bootstrap } from '@/lib/bootstrap/create-first-administrator'
import { getDeps } from '@/lib/runtime'
import { GET as serve } from './files/[...path]/route'
import { GET as list } from './route'
import { POST as upload } from './upload/route'

/**
 * The images API in a process of its own, with the real runtime, for tests that kill it or measure
 * its memory. Started by `startImageServer`; prints its port on standard output.
 */
const deps = await getDeps()
await bootstrap(deps)
await startBackgroundJobs(deps)

const server = createServer(async (incoming, outgoing) => {
  const request = toRequest(incoming)
  const { pathname } = new URL(request.url)
  const handler = pathname.startsWith('/api/images/files/')
    ? serve
    : request.method === 'POST'
      ? upload
      : list
  const response = await handler(request, { params: Promise.resolve({}) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (!response.body) return outgoing.end()
  Readable.fromWeb(response.body as never)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`)
})

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const body = method === 'GET' ? undefined : bodyOf(incoming)
  const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' }
  return new Request(`http://127.0.0.1${url}`, init as RequestInit)
}

/** Reads one chunk ahead. (Node's own conversion counts chunks instead of bytes.) */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
