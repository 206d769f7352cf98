import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the next requests; `accept` afterwards. */
export type Behaviour =
  | 'accept'
  | 'hang'
  /** Accepts the mail, then breaks the connection, so that the sender can't know. */
  | 'accept and reset'
  | 'accept and hang'
  | { status: number; name?: string; message?: string; retryAfter?: string }

export type FakeResend = Awaited<ReturnType<typeof startFakeResend>>

/** Resend's `POST /emails` over HTTP: one mail for one idempotency key, however often it is sent. */
export async function startFakeResend() {
  const delivered = new Map<string, { mail: Record<string, unknown>; requests: number }>()
  const behaviours: Behaviour[] = []
  const requests: { key: string; authorization: string }[] = []

  function take(key: string, mail: Record<string, unknown>): string {
    const known = delivered.get(key)
    if (known && JSON.stringify(known.mail) !== JSON.stringify(mail))
      throw new Error(`Another mail came with the idempotency key ${key}`)
    delivered.set(key, { mail, requests: (known?.requests ?? 0) + 1 })
    return `resend-${key}`
  }

  const server = createServer(async (request, response) => {
    const mail = JSON.parse(await textOf(request)) as Record<string, unknown>
    const key = String(request.headers['idempotency-key'])
    requests.push({ key, authorization: String(request.headers.authorization) })
    const behaviour = behaviours.shift() ?? 'accept'
    if (behaviour === 'hang') return
    if (typeof behaviour === 'object') return refuse(response, behaviour)
    const id = take(key, mail)
    if (behaviour === 'accept and hang') return
    if (behaviour === 'accept and reset') return void request.socket.resetAndDestroy()
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Mails that reached their recipient, by idempotency key. */
    delivered,
    requests,
    behaviours,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function refuse(
  response: ServerResponse,
  { status, name = 'error', message = 'No', retryAfter }: Exclude<Behaviour, string>,
): void {
  if (retryAfter) response.setHeader('retry-after', retryAfter)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ statusCode: status, name, message }))
}
