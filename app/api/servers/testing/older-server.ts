import { createServer } from 'node:http'
import { afterEach } from 'vitest'
import { listen } from '@/lib/testing/listen'
import type { Server } from './two-servers'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/**
 * A server that stands before another one and says less of itself, as an older version would: `forget` changes what it says.
 * `written` has what was to be changed.
 */
export async function olderServer(
  { url, key, ...rest }: Server,
  forget: (path: string, body: Record<string, unknown>) => void,
) {
  const written: string[] = []
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (method !== 'GET' && !path.includes('dryRun=true')) written.push(`${method} ${path}`)
    const headers: Record<string, string> = { authorization: request.headers.authorization ?? '' }
    const type = request.headers['content-type']
    if (type) headers['content-type'] = type
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
    const answer = await fetch(url + path, { method, headers, body })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const json = answer.headers.get('content-type')?.includes('json')
    response.writeHead(answer.status)
    if (!json) return response.end(bytes)
    const content = JSON.parse(bytes.toString())
    forget(path, content)
    return response.end(JSON.stringify(content))
  })
  const { port, close } = await listen(server)
  closing.push(close)
  return { ...rest, key, url: `http://127.0.0.1:${port}`, written }
}
