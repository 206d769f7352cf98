import { recordAudit } from '@/lib/audit/record-audit'
import { CONFIRM_REGISTRATION, countAttempt } from '@/lib/auth/rate-limit'
import { networkOf } from '@/lib/auth/request-origin'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { voidLink } from '@/lib/users/activate-account'
import type { User } from '@/lib/users/contract'
import { findUserByEmail, insertUser, toUser } from '@/lib/users/store'
import { mayRegister, registrationIsClosed } from './may-register'
import { registrationRole } from './registration-role'
import { findRegistrant, spendRegistration } from './token'

type Input = { token: string; password: string }
type Visitor = { address: string | null; requestId: string }

/**
 * Makes an active user of a link's address, once. Throws `invalid_input` for an invalid link, `forbidden` where the
 * address may not register any more, `conflict` for an address that has an account, and while the role of new users is
 * missing; the link stays valid then.
 */
export async function confirmRegistration(
  deps: Deps,
  { token, password }: Input,
  { address, requestId }: Visitor,
): Promise<User> {
  const { db, settings } = deps
  await countAttempt(db, CONFIRM_REGISTRATION, networkOf(address))
  const registrant = await findRegistrant(deps, token)
  if (!registrant) throw voidLink()
  const { email } = registrant
  if (!mayRegister(settings, email) || !(await isSetUp(db))) throw registrationIsClosed()
  // Before the costly hash. Of who used the link at the same time, too, the link is what is void.
  if (await findUserByEmail(db, email))
    throw (await findRegistrant(deps, token)) ? taken() : voidLink()
  const roles = [await registrationRole(deps)]
  const passwordHash = await deps.hashPassword(password)
  const status = 'ACTIVATED' as const
  const user = { id: crypto.randomUUID(), email, roles, status, passwordHash, profile: {} }
  return db.transaction(async (tx) => {
    if (!(await spendRegistration(tx, registrant))) throw voidLink()
    const made = await insertUser(tx, { ...user, activatedAt: new Date() })
    await recordAudit(
      tx,
      { type: 'anonymous', address },
      {
        action: 'users.create',
        objectType: 'user',
        objectId: made.id,
        details: { after: { email, roles, status }, by: 'registration' },
        requestId,
      },
    )
    return toUser(made)
  })
}

const taken = () =>
  new AppError('conflict', 'A user with this e-mail already exists; sign in, or reset the password')
