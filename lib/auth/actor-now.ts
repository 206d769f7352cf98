import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { actorOfKey, actorOfUser } from './load-actor'
import { type Actor, type Right, requireRight } from './rights'

/** The caller with the rights of this moment, for work that outlives its request; null when the account or key is not active. */
async function actorNow(db: Db, actor: Actor): Promise<Actor | null> {
  const { type, id, userId, scopes } = actor
  const found =
    type === 'api_key' || userId === null
      ? await actorOfKey(db, id)
      : await actorOfUser(db, userId, scopes)
  return found && { ...actor, ...found, address: actor.address }
}

/** The same. Throws `forbidden` for one who has lost one of `rights`, or all. */
export async function requireStill(db: Db, actor: Actor, rights: readonly Right[]): Promise<Actor> {
  const now = await actorNow(db, actor)
  if (!now) {
    const who = actor.type === 'api_key' ? 'API key' : 'account'
    throw new AppError('forbidden', `The ${who} that asked for it is no longer active`)
  }
  for (const right of rights) requireRight(now, right)
  return now
}
