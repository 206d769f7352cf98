import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { testRequest } from '@/lib/testing/request'
import { GET } from '../history/[id]/events/route'

export const deps = freshDeps()

export const FILES = 30
export const THINGS = things(FILES)

/** A plugin of so many files, of which the last fails. */
export function things(count: number) {
  const good = Array.from({ length: count - 2 }, (_, n) => [`${n + 10}.json`, { n }])
  return pluginFiles({
    EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } },
    Thing: { files: { ...Object.fromEntries(good), 'bad.json': '{' } },
  })
}

export const ASYNC = { headers: { prefer: 'respond-async' } }

export type Event = { id?: string; event: string; data: Record<string, unknown> }

/** Opens the stream of an install; `read` returns the next event, null at the end. */
export async function watch(id: number, headers: Record<string, string> = {}) {
  const client = new AbortController()
  const request = await testRequest(deps, {
    path: `/api/plugins/history/${id}/events`,
    as: 'ADMIN',
    headers,
  })
  const context = { params: Promise.resolve({ id: String(id) }) }
  const response = await GET(new Request(request, { signal: client.signal }), context)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  async function read(): Promise<Event | null> {
    const end = text.indexOf('\n\n')
    if (end >= 0) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      return parse(block) ?? read()
    }
    const { value, done } = await reader.read()
    if (done) return null
    text += new TextDecoder().decode(value)
    return read()
  }
  return { response, read, leave: () => client.abort(), cancel: () => reader.cancel() }
}

/** Null for what holds no event: the retry hint and comments. */
function parse(block: string): Event | null {
  const fields = new Map(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  )
  const event = fields.get('event')
  return event ? { id: fields.get('id'), event, data: JSON.parse(fields.get('data') ?? '') } : null
}

export async function readAll(read: () => Promise<Event | null>): Promise<Event[]> {
  const events: Event[] = []
  for (let next = await read(); next; next = await read()) events.push(next)
  return events
}
