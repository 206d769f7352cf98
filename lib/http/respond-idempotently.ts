import type { Deps } from '@/lib/deps'
import 'server-only'
import type { Actor } from '@/lib/auth/rights'
import { AppError } from '@/lib/errors'
import { respondOnce, type StoredResponse } from '@/lib/idempotency/respond-once'

const MAX_KEY_CHARS = 255
/** Headers of one exchange; a repeated response gets new ones. */
const UNKEPT = new Set(['x-request-id', 'date'])

/**
 * Honours `Idempotency-Key` on a POST that changes something; `content` is what the request contains
 * besides its address. A repeated response has the header `Idempotency-Replayed: true`.
 */
export async function respondIdempotently(
  deps: Deps,
  request: Request,
  actor: Actor | null,
  content: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  const key = request.headers.get('idempotency-key')
  if (key === null || request.method !== 'POST' || !actor) return respond()
  if (key.length === 0 || key.length > MAX_KEY_CHARS) {
    throw new AppError(
      'invalid_input',
      `The Idempotency-Key needs 1 to ${MAX_KEY_CHARS} characters`,
    )
  }
  const { pathname, search } = new URL(request.url)
  const once = { ownerId: actor.id, key, content: `${pathname}${search}\n${content}` }
  const { response, replayed } = await respondOnce(deps, once, { work: respond, store })
  const headers = { ...response.headers, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) }
  return new Response(response.body, { status: response.status, headers })
}

async function store(response: Response): Promise<StoredResponse> {
  const headers = [...response.headers].filter(([name]) => !UNKEPT.has(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  }
}
