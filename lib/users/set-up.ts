import {
  createFirstAdministrator,
  hasAdministrator,
} from '@/lib/bootstrap/create-first-administrator'
import type { UserRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findUser, findUserByEmail } from './store'

/**
 * Creates the first administrator, ready to sign in. Throws `conflict` when there is one: of any
 * number of concurrent callers, one succeeds.
 */
export async function setUp(
  deps: Pick<Deps, 'db' | 'hashPassword'>,
  input: { email: string; password: string },
  { address, requestId }: { address: string | null; requestId: string },
): Promise<UserRow> {
  const { db } = deps
  if (await hasAdministrator(db)) throw alreadySetUp()
  if (await findUserByEmail(db, input.email))
    throw new AppError('conflict', 'A user with this e-mail already exists')
  const actor = { type: 'anonymous', address } as const
  const id = await createFirstAdministrator(deps, input, { actor, requestId })
  const user = id ? await findUser(db, id) : null
  if (!user) throw alreadySetUp()
  return user
}

const alreadySetUp = () =>
  new AppError('conflict', 'There is an administrator already; sign in instead')
