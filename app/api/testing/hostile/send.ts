import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }
type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** Of a stream of events, which ends when its client leaves. */
const MAX_WAIT_MS = 15_000

/** Sends a request as it is, which `fetch` would improve. */
export function send(port: number, { method, path, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ port, method, path, agent, headers: { ...headers, ...length } })
    outgoing.setTimeout(MAX_WAIT_MS, () => outgoing.destroy(new Error('No answer')))
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      const answer = () => ({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text: Buffer.concat(chunks).toString(),
      })
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => resolve(answer()))
      if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
        resolve(answer())
        outgoing.destroy()
      }
    })
    outgoing.end(body)
  })
}
