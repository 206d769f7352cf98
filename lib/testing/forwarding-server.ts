import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listen } from './listen'

/** What happens around a request to this path. A request whose `before` throws is not passed on, nor answered. */
type Meeting = Partial<Record<'before' | 'after', (path: string) => Promise<void>>>

/** Stands before another server and passes requests on; resolves with its own address and what ends it. */
export async function forwardingServer(url: string, { before, after }: Meeting) {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '', headers } = request
    const chunks = await request.toArray()
    try {
      await before?.(path)
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
      const answer = await fetch(url + path, { method, headers: passedOn(headers), body })
      const bytes = Buffer.from(await answer.arrayBuffer())
      await after?.(path)
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type })
      response.end(bytes)
    } catch {
      response.destroy()
    }
  })
  const { port, close } = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close }
}

const passedOn = ({ authorization = '', 'content-type': type }: IncomingHttpHeaders) => ({
  authorization,
  ...(type && { 'content-type': type }),
})

/** Whether it is the path of an install, and not that of its plan. */
export const isInstall = (path: string) => path.includes('/install/zip') && path.includes('seal=')
