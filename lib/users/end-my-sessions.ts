import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { SessionActor } from '@/lib/auth/rights'
import { endOtherSessions, endSession } from '@/lib/auth/session-store'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'

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
