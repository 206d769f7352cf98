import { randomUUID } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { decryptToken } from '@/lib/auth/decrypt-token'
import { deriveKey } from '@/lib/crypto/derive-key'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { spendOnce, wasSpent } from '@/lib/second-factors/challenge-store'

const LIFETIME_HOURS = 24

/** An address that a mail was sent to. `id` is spent when the link is used. */
type Registrant = { id: string; email: string }

/**
 * The secret of a link. The server keeps nothing of it before it is used: strangers can fill no
 * table.
 */
export const sealRegistration = ({ secret }: Pick<Deps, 'secret'>, email: string) =>
  new EncryptJWT({ id: randomUUID(), email } satisfies Registrant)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(`${LIFETIME_HOURS}h`)
    .encrypt(deriveKey(secret, 'registration'))

/** Whose link it is; null for one that was used, has expired, was altered, or is none. */
export async function findRegistrant(
  deps: Pick<Deps, 'db' | 'secret'>,
  token: string,
): Promise<Registrant | null> {
  const registrant = await open(deps, token)
  return registrant && !(await wasSpent(deps.db, registrant.id)) ? registrant : null
}

async function open({ secret }: Pick<Deps, 'secret'>, token: string): Promise<Registrant | null> {
  try {
    const { payload } = await decryptToken(token, secret, 'registration')
    const { id, email } = payload as Registrant
    return { id, email }
  } catch {
    return null
  }
}

/** Uses the link up: of concurrent callers one succeeds. */
export const spendRegistration = (tx: Db, { id }: Registrant): Promise<boolean> =>
  spendOnce(tx, id, LIFETIME_HOURS * 60)
