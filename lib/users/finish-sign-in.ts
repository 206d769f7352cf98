import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import {
  type Challenge,
  issueTicket,
  readTicket,
  spendTicket,
  voidTicket,
} from '@/lib/second-factors/challenge-store'
import { WRONG_CODE } from '@/lib/second-factors/confirm-identity'
import type { Method } from '@/lib/second-factors/factor-store'
import { countCode, forgetCodes, spendCode } from '@/lib/second-factors/spend-code'
import type { ProviderSignIn } from './provider-changes'
import { recordFailedSignIn, recordSignIn, type SignedIn, type SignInDeps } from './record-sign-in'
import { findUser } from './store'
import type { Visitor } from './visitor'

/** What a right password of a user with a second factor returns: a ticket for the second step. */
export async function askForSecondFactor(
  db: Db,
  user: UserRow,
  methods: Method[],
): Promise<AppError> {
  const ticket = await issueTicket(db, user)
  const message = 'Enter a code of your authenticator app, or use another second factor'
  return new AppError('unauthenticated', message, { meta: { secondFactor: { ticket, methods } } })
}

/**
 * The second step: begins the session of a ticket's user, whose code this is. Throws
 * `unauthenticated` for a ticket that has expired, with `meta.secondFactor.ticket` null, and for a
 * wrong code, after which the ticket can be used again; `rate_limited` after five wrong codes.
 */
export async function finishSignIn(
  deps: SignInDeps,
  { ticket, code }: { ticket: string; code: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const { db, secret } = deps
  const read = await readTicket(db, ticket)
  const user = await findUser(db, read.userId)
  if (!isStillValid(user, read.sessionVersion)) throw voidTicket()
  await countCode(db, user.id)
  const by = await spendCode(db, secret, user.id, code)
  if (by === null) {
    await recordFailedSignIn(
      db,
      { email: user.email, ...visitor },
      { user, reason: 'wrong second factor' },
    )
    throw new AppError('unauthenticated', WRONG_CODE, {
      meta: { secondFactor: { ticket, methods: [] } },
    })
  }
  const signedIn = await recordSignIn(deps, user, visitor, { by, ...allowedBy(read) })
  await forgetCodes(db, user.id)
  return signedIn
}

/** What a ticket allows: it is spent, and what a provider said, if it began there, is done. */
export function allowedBy(ticket: Challenge) {
  const signIn = ticket.details?.signIn as ProviderSignIn | undefined
  return { signIn, spend: (tx: Db) => spendTicket(tx, ticket) }
}

/** Whether the password that the ticket stands for is still the one, and the account may sign in. */
export const isStillValid = (user: UserRow | null, version: number | null): user is UserRow =>
  user?.status === 'ACTIVATED' && user.sessionVersion === version
