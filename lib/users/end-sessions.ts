import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor, SessionActor } from '@/lib/auth/rights'
import { endOtherSessions, endSession } from '@/lib/auth/session-store'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import { lockUser, updateUser } from './store'

/**
 * Ends all sessions of the user, on every instance. Throws `not_found`, and `forbidden` for a user
 * who has more rights than the caller.
 */
export const endSessions = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, user.roles)
    await updateUser(tx, userId, {}, { endSessions: true })
    await recordAudit(tx, actor, {
      action: 'users.end-sessions',
      objectType: 'user',
      objectId: userId,
      requestId,
    })
  })

type Caller = { actor: SessionActor; requestId: string }

/** Ends one of the caller's sessions, also the one that asks. Throws `not_found`. */
export const endMySession = ({ db }: Pick<Deps, 'db'>, id: string, caller: Caller): Promise<void> =>
  db.transaction(async (tx) => {
    if (!isUuid(id) || !(await endSession(tx, caller.actor.userId, id)))
      throw new AppError('not_found', 'You have no session with this id')
    await note(tx, caller, 1)
  })

/** Ends the caller's sessions in all other browsers. Returns how many. */
export const endMyOtherSessions = ({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<number> =>
  db.transaction(async (tx) => {
    const ended = await endOtherSessions(tx, caller.actor.userId, caller.actor.sessionId)
    await note(tx, caller, ended)
    return ended
  })

const note = (tx: Db, { actor, requestId }: Caller, ended: number) =>
  recordAudit(tx, actor, {
    action: 'users.end-own-sessions',
    objectType: 'user',
    objectId: actor.userId,
    details: { ended },
    requestId,
  })

/**
 * Ends the session of this browser, on every instance, so that copies of the cookie become invalid.
 */
export const signOut = ({ db }: Pick<Deps, 'db'>, actor: SessionActor, requestId?: string) =>
  db.transaction(async (tx) => {
    await endSession(tx, actor.userId, actor.sessionId)
    await recordAudit(tx, actor, {
      action: 'users.sign-out',
      objectType: 'user',
      objectId: actor.userId,
      requestId,
    })
  })
