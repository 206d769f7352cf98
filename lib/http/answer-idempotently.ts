import type { Deps } from '@/lib/deps'
import 'server-only'
import type { Actor } from '@/lib/auth/rights'
import { AppError } from '@/lib/errors'
import { answerOnce, type StoredAnswer } from '@/lib/idempotency/answer-once'

const MAX_KEY_CHARS = 255
/** Headers that belong to one exchange and are made anew when an answer is repeated. */
const UNKEPT = new Set(['x-request-id', 'date'])

/**
 * Honours `Idempotency-Key` on a POST that changes something; `content` is what the request says
 * beyond its address. A repeated answer bears `Idempotency-Replayed: true`.
 */
export async function answerIdempotently(
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
  const { answer, replayed } = await answerOnce(deps, once, { work: respond, store })
  const headers = { ...answer.headers, ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}) }
  return new Response(answer.body, { status: answer.status, headers })
}

async function store(response: Response): Promise<StoredAnswer> {
  const headers = [...response.headers].filter(([name]) => !UNKEPT.has(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  }
}
