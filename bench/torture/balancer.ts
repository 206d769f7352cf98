import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export type Balancer = {
  url: string
  put: (server: string) => void
  take: (server: string) => void
  close: () => void
}

/** Sends each request to the next of the servers that are in. It tries nothing twice, so that what fails is seen. */
export async function startBalancer(): Promise<Balancer> {
  const servers: string[] = []
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const balancer = createServer((incoming, outgoing) => {
    const server = servers[turn++ % servers.length]
    if (server) passOn(server, agent, incoming, outgoing)
    else outgoing.writeHead(502).end('no server is in')
  })
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  const { port } = balancer.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    put: (server) => void servers.push(server),
    take: (server) => void servers.splice(servers.indexOf(server), 1),
    close: () => {
      balancer.close()
      balancer.closeAllConnections()
      agent.destroy()
    },
  }
}

function passOn(server: string, agent: Agent, from: IncomingMessage, to: ServerResponse): void {
  const { method, headers, url = '/' } = from
  const sent = request(new URL(url, server), { method, headers, agent }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, to).catch(() => to.destroy())
  })
  sent.on('error', (error) => {
    if (to.headersSent) to.destroy()
    else to.writeHead(502).end(`${server}: ${error.message}`)
  })
  pipeline(from, sent).catch(() => {}) // which `error` tells
}
