import { sql } from 'drizzle-orm'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { Delivery, MailProvider } from '@/lib/mail-provider/provider'
import { traced } from '@/lib/tracing/tracing'
import { unsealMail } from './outbox'
import { type Claim, claimDue, settle } from './store'

type MailDeps = Pick<Deps, 'db' | 'secret' | 'log'> & { mail: MailProvider }

/**
 * Sends what is due, one mail after the other, until nothing is; returns the number of attempts.
 */
export async function deliverMails(deps: MailDeps, signal?: AbortSignal): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const [claim] = signal?.aborted ? [] : await claimDue(deps.db, 1)
    if (!claim) return attempts
    await deliver(deps, claim)
  }
}

async function deliver(deps: MailDeps, claim: Claim): Promise<void> {
  const delivery = await traced(null, 'deliver mail', () => attempt(deps, claim))
  await settle(deps.db, claim, outcomeOf(delivery, claim))
  const { id, attempts } = claim
  const reason = delivery.outcome === 'accepted' ? undefined : delivery.error
  deps.log.info({ mail: id, attempts, outcome: delivery.outcome, reason }, 'mail attempt')
}

async function attempt({ mail, secret }: MailDeps, claim: Claim): Promise<Delivery> {
  if (claim.overdue)
    return { outcome: 'refused', error: 'Not delivered within 24 hours; retry it by hand' }
  const body = claim.body === null ? null : unsealMail(secret, claim.id, claim.body)
  if (!body)
    return { outcome: 'refused', error: 'The mail cannot be decrypted: the secret has changed' }
  return mail.send(body, claim.id)
}

function outcomeOf(delivery: Delivery, { attempts }: Claim): Parameters<typeof settle>[2] {
  switch (delivery.outcome) {
    case 'accepted':
      return {
        status: 'sent',
        providerId: delivery.providerId,
        sentAt: new Date(),
        body: null,
        error: null,
      }
    case 'refused':
      return { status: 'failed', error: delivery.error }
    case 'retry': {
      const waitMs = backoffMs(attempts, delivery.retryAfterMs)
      const nextAttemptAt = sql`${now} + make_interval(secs => ${waitMs / 1000})`
      return { status: 'queued', error: delivery.error, nextAttemptAt }
    }
  }
}

const MIN_MS = 5_000
const MAX_MS = 15 * 60_000

/**
 * How long to wait after the `attempts`-th failure: 5 s, doubled each time up to 15 minutes, with a
 * quarter of jitter, and never shorter than the provider asked for. `random` is in [0, 1).
 */
export function backoffMs(attempts: number, retryAfterMs = 0, random = Math.random()): number {
  const doubled = Math.min(MAX_MS, MIN_MS * 2 ** Math.min(attempts - 1, 30))
  const jittered = doubled * (0.75 + random / 2)
  return Math.round(Math.max(Math.min(MAX_MS, Math.max(MIN_MS, jittered)), retryAfterMs))
}
