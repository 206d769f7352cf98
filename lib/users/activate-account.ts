import { recordAudit } from '@/lib/audit/record-audit'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { User } from './contract'
import { hashLinkToken } from './letter'
import { lockUser, takeToken, toUser, updateUser } from './store'

type Visitor = { address: string | null; requestId: string }

/** Activates the account of a link, once. Throws `invalid_input` for an invalid link. */
export const activateAccount = (
  { db }: Pick<Deps, 'db'>,
  token: string,
  { address, requestId }: Visitor,
): Promise<User> =>
  db.transaction(async (tx) => {
    const userId = await takeToken(tx, 'activation', hashLinkToken(token))
    const before = userId ? await lockUser(tx, userId) : null
    if (before?.status !== 'REQUIRED_ACTIVATION') throw voidLink()
    const user = await updateUser(tx, before.id, { status: 'ACTIVATED', activatedAt: new Date() })
    await recordAudit(
      tx,
      { type: 'anonymous', address },
      {
        action: 'users.activate',
        objectType: 'user',
        objectId: user.id,
        requestId,
      },
    )
    return toUser(user)
  })

export const voidLink = () =>
  new AppError('invalid_input', 'This link was used or has expired; ask for a new one', {
    validations: [{ field: 'token', error: 'This link was used or has expired' }],
  })
