import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readTicket, voidTicket } from '@/lib/second-factors/challenge-store'
import { WRONG_PASSKEY } from '@/lib/second-factors/confirm-identity'
import { type PasskeyProof, passkeyProof } from '@/lib/second-factors/passkey-contract'
import { spendPasskey } from '@/lib/second-factors/spend-passkey'
import { allowedBy, isStillValid } from './finish-sign-in'
import { requireLocalSignIn } from './local-sign-in'
import {
  REFUSALS,
  recordFailedSignIn,
  recordSignIn,
  type SignedIn,
  type SignInDeps,
} from './record-sign-in'
import { findUser } from './store'
import type { Visitor } from './visitor'

/**
 * Begins a session of the user whose passkey signed the challenge: instead of a password, since the device
 * has verified the user, or with a ticket as its second factor. Throws `unauthenticated`, and
 * `forbidden` for an account that may not sign in.
 */
export async function signInByPasskey(
  deps: SignInDeps & Pick<Deps, 'settings'>,
  { passkey, ticket }: { passkey: string; ticket?: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const { db } = deps
  const read = ticket === undefined ? null : await readTicket(db, ticket)
  const proof = parseProof(passkey)
  const userId = proof && (await spendPasskey(deps, proof))
  const user = userId ? await findUser(db, userId) : null
  if (!user || (read && read.userId !== userId)) {
    await recordFailedSignIn(db, { email: '', ...visitor }, { user, reason: 'wrong second factor' })
    const secondFactor = ticket === undefined ? {} : { secondFactor: { ticket, methods: [] } }
    throw new AppError('unauthenticated', WRONG_PASSKEY, { meta: secondFactor })
  }
  if (user.status !== 'ACTIVATED') {
    await recordFailedSignIn(db, { email: user.email, ...visitor }, { user, reason: user.status })
    throw new AppError('forbidden', REFUSALS[user.status])
  }
  if (read && !isStillValid(user, read.sessionVersion)) throw voidTicket()
  if (!read) requireLocalSignIn(deps, user.email)
  return recordSignIn(deps, user, visitor, { by: 'passkey', ...(read && allowedBy(read)) })
}

function parseProof(text: string): PasskeyProof | null {
  try {
    return passkeyProof.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // no JSON
  }
}
