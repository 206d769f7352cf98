import { verifyPassword } from '@/lib/auth/password'
import { countFailure, forgetAttempts, requireBelowLimits } from '@/lib/auth/rate-limit'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readTicket, voidTicket } from '@/lib/second-factors/challenge-store'
import { listMethods } from '@/lib/second-factors/factor-store'
import { PASSWORD_MAX } from './contract'
import { allowedBy, isStillValid } from './finish-sign-in'
import { recordFailedSignIn, recordSignIn, type SignedIn, type SignInDeps } from './record-sign-in'
import { afterOthers, signInCounters } from './sign-in-limits'
import { findUser } from './store'
import type { Visitor } from './visitor'

/**
 * The second step of an administrator without a second factor who is linked with a provider: begins the session of the
 * ticket's user, whose password this is. Throws as `finishSignIn` does.
 */
export async function finishByPassword(
  deps: SignInDeps & Pick<Deps, 'settings'>,
  { ticket, password }: { ticket: string; password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const { db } = deps
  const read = await readTicket(db, ticket)
  const user = await findUser(db, read.userId)
  if (!asksForPassword(read.details) || !isStillValid(user, read.sessionVersion)) throw voidTicket()
  // A factor that was added meanwhile counts.
  if ((await listMethods(db, user.id)).length > 0) throw voidTicket()
  const { email } = user
  const counters = signInCounters({ ...visitor, email })
  const all = [...counters.shared, counters.own]
  return afterOthers(counters, async () => {
    await requireBelowLimits(db, all)
    const typed = password.slice(0, 4 * PASSWORD_MAX)
    if (!user.passwordHash || !(await verifyPassword(user.passwordHash, typed))) {
      await countFailure(db, all)
      await recordFailedSignIn(db, { email, ...visitor }, { user, reason: 'wrong password' })
      const meta = { secondFactor: { ticket, methods: [] } }
      throw new AppError('unauthenticated', 'This is not your password', { meta })
    }
    await forgetAttempts(db, counters.own)
    return recordSignIn(deps, user, visitor, allowedBy(read))
  })
}

const asksForPassword = (details: { asked?: unknown } | null): boolean =>
  Array.isArray(details?.asked) && details.asked.includes('password')
