import type { WebhookRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readLogged } from '@/lib/events/read-log'
import { findEntity } from '@/lib/registry/registry'
import type { JsonObject } from '@/lib/values/json'
import { actorOf } from './acts-for'
import { type Attempt, type Claim, recordHealth, release, settle } from './delivery-store'
import { makeAttempt, REMOVED } from './make-attempt'
import { matchingChanges } from './matching-changes'
import { orStopped, stopWebhook } from './stop-webhook'
import { stops } from './stops'
import { findWebhook } from './store'

/** A webhook that fails for so long, and so often, is stopped. */
const STOP_AFTER_MS = 12 * 60 * 60_000
const STOP_AFTER_FAILURES = 10

/**
 * Makes one attempt of a claimed delivery: what it says is read from the log of changes now, by the rights that whom the webhook acts for has now.
 * Does nothing for a webhook that was stopped meanwhile.
 */
export async function deliver(deps: Deps, claim: Claim): Promise<void> {
  const generation = stops.generationOf(claim.webhookId)
  const webhook = await findWebhook(deps.db, claim.webhookId)
  const isTest = claim.entity === null
  const isStopped = webhook.stopped !== null && !isTest
  const content = isStopped
    ? null
    : await orStopped(deps, webhook, () => contentOf(deps, webhook, claim))
  const sending = { webhook, claim, generation }
  const attempt = content === null ? null : await makeAttempt(deps, sending, content)
  if (attempt === null) return void (await release(deps.db, claim))
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
  if (response?.status === REMOVED) return
  const after = await recordHealth(deps.db, webhook.id, outcome)
  const { failures = 0, failingSince = null } = after ?? {}
  if (!failingSince || failures < STOP_AFTER_FAILURES) return
  if (Date.now() - failingSince.getTime() >= STOP_AFTER_MS)
    await stopWebhook(deps, webhook, 'failing')
}

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
  ...{
    before: null,
    after: { message: 'This is a test' },
    counts: null,
    actor: null,
    cause: null,
    requestId: null,
  },
})
