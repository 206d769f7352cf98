import { requireStill } from '@/lib/auth/actor-now'
import { type Actor, hasAccount } from '@/lib/auth/rights'
import type { WebhookRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'

type ActsFor = Pick<WebhookRow, 'ownerId' | 'keyId' | 'savedBy'>

/** With whose rights a webhook reads that `actor` saves: the person's, or those of a key without an account. */
export const actsFor = (actor: Actor): ActsFor => ({
  ...(hasAccount(actor)
    ? { ownerId: actor.userId, keyId: null }
    : { ownerId: null, keyId: actor.id }),
  savedBy: actor.name,
})

/** Whom it acts for, with the rights of this moment. Throws `forbidden` once they may not manage webhooks. */
export async function actorOf(db: Db, { ownerId, keyId, savedBy }: ActsFor): Promise<Actor> {
  const id = ownerId ?? keyId
  if (id === null)
    throw new AppError('forbidden', 'The account or key that it acts for was deleted')
  const type = ownerId === null ? 'api_key' : 'user'
  const known = { type, id, userId: ownerId, name: savedBy, roles: [], scopes: null } as const
  return requireStill(db, { ...known, address: null }, ['webhooks:manage'])
}
