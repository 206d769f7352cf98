import { appUrl } from '@/lib/auth/app-url'
import type { WebhookRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readLogged } from '@/lib/events/read-log'
import { findEntity } from '@/lib/registry/registry'
import type { RemoteResponse } from '@/lib/remote/remote'
import type { JsonObject } from '@/lib/values/json'
import { actorOf } from './acts-for'
import { type Attempt, type Claim, recordHealth, release, settle } from './delivery-store'
import { matchingChanges } from './matching-changes'
import { bodyOf, sign } from './message'
import { afterFailure, type Outcome } from './outcome'
import { secretsOf } from './secrets'
import { orStopped, stopWebhook } from './stop-webhook'
import { findWebhook } from './store'

/** A webhook that fails for so long, and so often, is stopped. */
const STOP_AFTER_MS = 12 * 60 * 60_000
const STOP_AFTER_FAILURES = 10

/**
 * Makes one attempt of a claimed delivery: what it says is read from the log of changes now, by the rights that whom the webhook acts for has now.
 * Does nothing for a webhook that was stopped meanwhile.
 */
export async function deliver(deps: Deps, claim: Claim): Promise<void> {
  const webhook = await findWebhook(deps.db, claim.webhookId)
  const isTest = claim.entity === null
  const isStopped = webhook.stopped !== null && !isTest
  const content = isStopped
    ? null
    : await orStopped(deps, webhook, () => contentOf(deps, webhook, claim))
  if (content === null) return void (await release(deps.db, claim))
  const attempt = await attemptOf(deps, webhook, claim, content)
  await settle(deps.db, claim, attempt)
  if (!isTest) await judgeHealth(deps, webhook, attempt)
  const { id, attempts } = claim
  const { outcome, response } = attempt
  const facts = { webhook: webhook.id, delivery: id, attempts, outcome: outcome.status }
  deps.log.info({ ...facts, status: response?.status ?? null }, 'webhook attempt')
}

async function judgeHealth(
  deps: Deps,
  webhook: WebhookRow,
  { outcome, response }: Attempt,
): Promise<void> {
  if (response?.status === 410) return stopWebhook(deps, webhook, 'removed')
  const after = await recordHealth(deps.db, webhook.id, outcome)
  const { failures = 0, failingSince = null } = after ?? {}
  if (!failingSince || failures < STOP_AFTER_FAILURES) return
  if (Date.now() - failingSince.getTime() >= STOP_AFTER_MS)
    await stopWebhook(deps, webhook, 'failing')
}

async function attemptOf(
  deps: Deps,
  webhook: WebhookRow,
  claim: Claim,
  content: JsonObject | string,
): Promise<Attempt> {
  const [at, begun] = [new Date(), performance.now()]
  const ended = (outcome: Outcome, request: string | null, response: Attempt['response']) => ({
    ...{ outcome, request, response, at, ms: performance.now() - begun },
  })
  if (typeof content === 'string') return ended({ status: 'withheld', error: content }, null, null)
  const secrets = secretsOf(deps.secret, webhook)
  if (secrets.length === 0) return ended({ status: 'failed', error: UNREADABLE }, null, null)
  const { id, entity } = claim
  const origin = appUrl(deps.settings)
  const message = { id, entity, origin, format: webhook.format, change: content }
  const body = bodyOf(message)
  const answer = await deps.remote
    .post(webhook.url, sign(message, body, secrets, at))
    .catch(errorText)
  const response = typeof answer === 'string' ? null : answer
  return ended(outcomeOf(answer, claim), body, response)
}

const UNREADABLE =
  'The secret cannot be decrypted, as that of the server has changed: rotate it, then send again'

/** What is sent; a text says why nothing is. */
async function contentOf(
  deps: Deps,
  webhook: WebhookRow,
  { entity, xid, eventId, action }: Claim,
): Promise<JsonObject | string> {
  if (entity === null || xid === null || eventId === null) return testChange()
  const actor = await actorOf(deps.db, webhook)
  const found = await installed(deps, entity)
  const place = { xid: BigInt(xid), id: BigInt(eventId) }
  const logged = found && (await readLogged(deps.db, found.table, place, action === 'many'))
  if (!logged) return 'The change is no longer kept'
  const matching = { ...webhook, entity, log: logged.log }
  const [match] = await matchingChanges(deps, actor, matching, [logged.event])
  return (
    match?.change ?? `${webhook.savedBy}, whom the webhook acts for, may not see the change now`
  )
}

/** Null while it is not installed. */
const installed = (deps: Deps, name: string) =>
  findEntity(deps, name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })

const testChange = (): JsonObject => ({
  ...{ action: 'test', key: null, at: new Date().toISOString(), fields: [] },
  ...{ before: null, after: { message: 'This is a test' }, counts: null, by: null, cause: null },
})

const errorText = (error: unknown): string => {
  if (error instanceof AppError) return error.message
  throw error
}

function outcomeOf(answer: RemoteResponse | string, { attempts, entity }: Claim): Outcome {
  if (typeof answer !== 'string' && answer.status >= 200 && answer.status < 300)
    return { status: 'delivered' }
  const error = typeof answer === 'string' ? answer : `The receiver answered ${answer.status}`
  const isFinal = entity === null || (typeof answer !== 'string' && answer.status === 410)
  if (isFinal) return { status: 'failed', error }
  const { retryAfter = null, status = 0 } = typeof answer === 'string' ? {} : answer
  return afterFailure({ error, retryAfter, attempts, isOfAll: status === 429 || status === 503 })
}
