import type { SessionActor } from '@/lib/auth/rights'
import type { PasskeyRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { confirmedUntil } from './confirm-identity'
import type { Passkey, SecondFactors } from './contract'
import { findTotp, listPasskeys, readAccount } from './factor-store'
import { countRecoveryCodes } from './recovery-codes'

/** The caller's second factors, and what this session may do with them. */
export async function describeFactors(
  db: Db,
  { userId, sessionId }: SessionActor,
): Promise<SecondFactors> {
  const { isRequired } = await readAccount(db, userId)
  const totp = await findTotp(db, userId)
  const until = await confirmedUntil(db, sessionId)
  return {
    required: isRequired,
    totp: totp && times(totp),
    passkeys: (await listPasskeys(db, userId)).map(toPasskey),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    confirmedUntil: until?.toISOString() ?? null,
  }
}

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  backedUp: row.backedUp,
  ...times(row),
})

const times = ({ createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null }) => ({
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
