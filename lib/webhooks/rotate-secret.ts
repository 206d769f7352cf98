import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { webhooks } from '@/lib/db/schema'
import { now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { NewWebhook } from './contract'
import { entryOf } from './save-webhook'
import { newSecret, sealSecret } from './secrets'
import { findWebhook, requireAddress, selectWebhooks } from './store'

/** Makes a new secret; the present one signs beside it for 24 hours, so that receivers can change over. Throws `not_found`, and `conflict` without an address. */
export async function rotateSecret(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  id: string,
  by: { actor: Actor; requestId: string },
): Promise<NewWebhook> {
  const text = newSecret()
  await db.transaction(async (tx) => {
    const before = await findWebhook(tx, id, { lock: true })
    requireAddress(before)
    const formerUntil = sql`now() + interval '24 hours'`
    await tx
      .update(webhooks)
      .set({
        ...{ secret: sealSecret(secret, id, text), formerSecret: before.secret, formerUntil },
        updatedAt: now,
      })
      .where(eq(webhooks.id, id))
    await recordAudit(tx, by.actor, entryOf('rotate-secret', before, {}, by))
  })
  return { ...one(await selectWebhooks(db, { id })), secret: text }
}
