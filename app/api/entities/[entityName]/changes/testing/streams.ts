import { testRequest } from '@/lib/testing/request'
import { GET } from '../route'
import { deps } from './followed'

type Event = { id?: string; event?: string; data: Record<string, unknown> }

/** Opens a stream of changes; `read` returns the next event, null at the end. */
export async function watch(headers: Record<string, string>, more: Record<string, string> = {}) {
  const client = new AbortController()
  const request = await testRequest(deps, {
    path: '/api/entities/Book/changes',
    headers: { ...headers, ...more, accept: 'text/event-stream' },
  })
  const context = { params: Promise.resolve({ entityName: 'Book' }) }
  const response = await GET(new Request(request, { signal: client.signal }), context)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  async function read(): Promise<Event | null> {
    const end = text.indexOf('\n\n')
    if (end >= 0) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const parts = Object.fromEntries(lines.map((line) => line.split(/: (.*)/)))
      return parts.data ? { ...parts, data: JSON.parse(parts.data) } : read()
    }
    const { value, done } = await reader.read()
    if (done) return null
    text += Buffer.from(value).toString()
    return read()
  }
  return { read, leave: async () => client.abort() }
}
