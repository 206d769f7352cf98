import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What a receiver got and answered 2xx, or was never answered. */
export type Got = { id: string; key: string; n: number; at: number; ms: number }
export type Receiver = {
  host: string
  url: string
  got: Got[]
  requests: number
  close: () => void
}

type Answer = (response: ServerResponse, id: string) => Promise<void> | void

/** A receiver that answers as it is told to; `got` is what was answered 2xx, `ms` how long after the change it came. */
export async function startReceiver(answer: Answer): Promise<Receiver> {
  const server = createServer((request, response) => void take(request, response).catch(() => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const receiver: Receiver = {
    ...{ host, url: `http://${host}/hook`, got: [], requests: 0 },
    close: () => close(server),
  }
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now()
    receiver.requests++
    const { timestamp, data } = (await json(request)) as { timestamp: string; data: Change }
    const id = String(request.headers['webhook-id'])
    const n = Number((data.after ?? data.before)?.count)
    await answer(response, id)
    const ms = at - Date.parse(timestamp)
    if (response.statusCode < 300) receiver.got.push({ id, key: data.key, n, at, ms })
  }
  return receiver
}

type Change = { key: string; after: { count: number } | null; before: { count: number } | null }

function close(server: Server): void {
  server.close()
  server.closeAllConnections()
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** 200 at once. */
export const sound: Answer = (response) => void response.end()

/** 500 to every twentieth message, the first time. */
export function flaky(): Answer {
  const failed = new Set<string>()
  let n = 0
  return (response, id) => {
    const fails = n++ % 20 === 0 && !failed.has(id)
    if (fails) failed.add(id)
    response.writeHead(fails ? 500 : 200).end()
  }
}

/** After 30 ms, now and then after 2 s. */
export function slow(): Answer {
  let n = 0
  return async (response) => {
    await pause(n++ % 100 === 0 ? 2_000 : 30)
    response.end()
  }
}

const LARGE = Buffer.alloc(10 * 1024 * 1024, 'x')
/** 200, with more than anybody reads. */
export const large: Answer = (response) => void response.end(LARGE)

/** Never. */
export const never: Answer = () => new Promise<void>(() => {})

/** Leads elsewhere. */
export const redirecting =
  (to: string): Answer =>
  (response) =>
    void response.writeHead(302, { location: to }).end()

/** 410 after so many; `after` are the times in ms at which something came nevertheless. */
export function removed(most: number, after: number[]): Answer {
  let n = 0
  let since = 0
  return (response) => {
    if (n++ < most) return void response.end()
    if (since > 0) after.push(Date.now() - since)
    response.writeHead(410).end(() => {
      since ||= Date.now()
    })
  }
}
