import type { Deps } from '@/lib/deps'
import type { Call, EngineClient } from '@/lib/promotion/engine-client'
import { responseClient } from './response-client'

export type Address = { name: string; url: string; key: string }

/** An install of a large plugin takes long. */
const TIMEOUT_MS = 15 * 60_000

/** Another server, by its address and an API key there. */
export function remoteClient(
  { remote, settings }: Pick<Deps, 'remote' | 'settings'>,
  { name, url, key }: Address,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): EngineClient {
  const base = url.replace(/\/+$/, '')
  const maxBytes = Math.max(settings.MAX_ZIP_BYTES, settings.MAX_JSON_BYTES)
  return responseClient(name, signal, async (path, { method = 'GET', query, body }) => {
    const sent = await encoded(body)
    const headers = { authorization: `Bearer ${key}`, 'user-agent': 'Engine', ...sent.headers }
    const limits = { maxBytes, timeoutMs, signal }
    const question = { method, headers, body: sent.bytes, ...limits }
    const answer = await remote.ask(`${base}${path}${queryText(query)}`, question)
    const retryAfter = answer.headers['retry-after'] ?? null
    return { status: answer.status, retryAfter, bytes: answer.body }
  })
}

function queryText(query: Call['query'] = {}): string {
  const sent = Object.entries(query).filter((one): one is [string, string] => one[1] !== undefined)
  return sent.length > 0 ? `?${new URLSearchParams(sent)}` : ''
}

type Encoded = { bytes: Uint8Array | undefined; headers: Record<string, string> }

async function encoded(body: Call['body']): Promise<Encoded> {
  if (body === undefined) return { bytes: undefined, headers: {} }
  const request = new Request('http://engine.invalid', { method: 'POST', body })
  const form = request.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await request.arrayBuffer())
  const type = typeof body === 'string' ? 'application/json' : form
  return { bytes, headers: { 'content-type': type, 'content-length': String(bytes.length) } }
}
