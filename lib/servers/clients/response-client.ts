import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Call, EngineClient } from '@/lib/promotion/engine-client'

type Received = { status: number; retryAfter: string | null; bytes: Uint8Array }
type Send = (path: string, call: Call) => Promise<Received>

/** The API of an engine, by what sends one request to it. `name` begins the messages of errors. */
export function responseClient(name: string, signal: AbortSignal, send: Send): EngineClient {
  const sent = (path: string, call: Call = {}) => patiently(() => send(path, call), signal)
  const bytes = async (path: string, call?: Call) => {
    const response = await sent(path, call)
    if (response.status >= 300) throw refusal(name, response)
    return response
  }
  const json = async (path: string, call?: Call) => {
    const body = parsed((await bytes(path, call)).bytes)
    if (body !== null) return body
    throw new AppError('upstream_failed', `${name} is not an engine: its response is no JSON`)
  }
  const all = async <T>(path: string, query: Call['query'] = {}) => {
    const items: T[] = []
    for (let page = 0; ; page++) {
      const asked = { size: '1000', ...query, page: String(page) }
      const { data, pagination } = (await json(path, { query: asked })) as Page<T>
      items.push(...data)
      if (items.length > MAX_ITEMS)
        throw new AppError('upstream_failed', `${name}: ${path} has no end`)
      if (!pagination || pagination.last || data.length === 0) return items
    }
  }
  return { json, bytes, all }
}

type Page<T> = { data: T[]; pagination?: { last: boolean } }

const MAX_ITEMS = 1_000_000
const MAX_TRIES = 6
const MAX_WAIT_S = 30

/** A server that is busy for the moment is asked again. */
async function patiently(send: () => Promise<Received>, signal: AbortSignal): Promise<Received> {
  for (let tries = 1; ; tries++) {
    const response = await send()
    const isBusy = response.status === 503 || response.status === 429
    if (!isBusy || tries === MAX_TRIES) return response
    const asked = Number(response.retryAfter ?? 1)
    const seconds = Number.isFinite(asked) ? Math.min(Math.max(asked, 1), MAX_WAIT_S) : 1
    await delay(seconds * 1_000, undefined, { signal })
  }
}

function parsed(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(Buffer.from(bytes).toString())
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const MAX_MESSAGE = 2_000

type Refusal = { error?: unknown; validations?: { field: string; error: string }[] }

function refusal(name: string, { status, bytes }: Received): AppError {
  const meta = { status }
  if (status === 401)
    return new AppError('upstream_failed', `${name} refuses the API key`, { meta })
  const { error, validations = [] } = (parsed(bytes) ?? {}) as Refusal
  const message = typeof error === 'string' ? error : `it responded with ${status}`
  const lines = Array.isArray(validations)
    ? validations.slice(0, 20).map((one) => `${one?.field}: ${one?.error}`)
    : []
  const text = [`${name}: ${message}`, ...lines].join('\n').slice(0, MAX_MESSAGE)
  return new AppError('upstream_failed', text, { meta })
}
