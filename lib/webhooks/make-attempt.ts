import { appUrl } from '@/lib/auth/app-url'
import type { WebhookRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { RemoteResponse } from '@/lib/remote/remote'
import type { JsonObject } from '@/lib/values/json'
import type { Attempt, Claim } from './delivery-store'
import { bodyOf, sign } from './message'
import { afterFailure, type Outcome } from './outcome'
import { secretsOf } from './secrets'
import { stopWebhook } from './stop-webhook'
import { stops } from './stops'
import { isUnchanged } from './store'

/** Of a receiver that wants nothing more. */
export const REMOVED = 410

/** `generation`: of `stops`, from before the webhook was read. */
export type Sending = { webhook: WebhookRow; claim: Claim; generation: number }

/**
 * Sends `content`; a text says why nothing is sent. Null where the webhook was stopped or changed meanwhile, which is looked at last. A receiver that
 * answers 410 stops it before anything else is done about the answer.
 */
export async function makeAttempt(
  deps: Deps,
  sending: Sending,
  content: JsonObject | string,
): Promise<Attempt | null> {
  const { webhook, claim } = sending
  const [at, begun] = [new Date(), performance.now()]
  const ended = (outcome: Outcome, request: string | null, response: Attempt['response']) => ({
    ...{ outcome, request, response, at, ms: performance.now() - begun },
  })
  if (typeof content === 'string') return ended({ status: 'withheld', error: content }, null, null)
  const { url } = webhook
  const secrets = secretsOf(deps.secret, webhook)
  if (url === null || secrets.length === 0)
    return ended({ status: 'failed', error: UNREADABLE }, null, null)
  const { id, entity } = claim
  const origin = appUrl(deps.settings)
  const message = { id, entity, origin, format: webhook.format, change: content }
  const body = bodyOf(message)
  const signed = sign(message, body, secrets, at)
  const answer = await (entity === null
    ? deps.remote.post(url, signed).catch(errorText)
    : postWhileRunning(deps, { ...sending, url }, signed))
  if (answer === null) return null
  const response = typeof answer === 'string' ? null : answer
  return ended(outcomeOf(answer, claim), body, response)
}

const UNREADABLE =
  'The secret cannot be decrypted, as that of the server has changed: rotate it, then send again'

async function postWhileRunning(
  deps: Deps,
  { webhook, url, generation }: Sending & { url: string },
  signed: ReturnType<typeof sign>,
): Promise<RemoteResponse | string | null> {
  const { id } = webhook
  let stop: Promise<void> | null = null
  const answer = await deps.remote
    .post(url, {
      ...signed,
      // The process last: it can stop while the database answers.
      begins: async () => (await isUnchanged(deps.db, webhook)) && stops.isStill(id, generation),
      answered: (status) => {
        if (status !== REMOVED) return
        stop = stops.begin(id, () => stopWebhook(deps, webhook, 'removed'))
        stop.catch(() => {}) // awaited below, once the rest of the answer has come
      },
    })
    .catch(errorText)
  await stop
  return answer
}

const errorText = (error: unknown): string => {
  if (error instanceof AppError) return error.message
  throw error
}

function outcomeOf(answer: RemoteResponse | string, { tried, entity }: Claim): Outcome {
  if (typeof answer !== 'string' && answer.status >= 200 && answer.status < 300)
    return { status: 'delivered' }
  const error = typeof answer === 'string' ? answer : `The receiver answered ${answer.status}`
  const isFinal = entity === null || (typeof answer !== 'string' && answer.status === REMOVED)
  if (isFinal) return { status: 'failed', error }
  const { retryAfter = null, status = 0 } = typeof answer === 'string' ? {} : answer
  return afterFailure({ error, retryAfter, tried, isOfAll: status === 429 || status === 503 })
}
