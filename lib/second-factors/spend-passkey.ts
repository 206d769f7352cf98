import { and, eq, lt, or } from 'drizzle-orm'
import { countAttempt, PASSKEY_CHALLENGE } from '@/lib/auth/rate-limit'
import { passkeys } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { addChallenge, readTicket, takeChallenge } from './challenge-store'
import { listPasskeys } from './factor-store'
import type { PasskeyProof } from './passkey-contract'
import { relyingParty, verifyAuthentication } from './verify-passkey'

type PasskeyDeps = Pick<Deps, 'db' | 'settings'>

/**
 * What a browser needs to use a passkey, within five minutes: any that it has, or one of the user of a ticket.
 * `network` is the caller's. Throws `rate_limited`, and `unauthenticated` for a ticket that has expired.
 */
export async function askForPasskey(
  { db, settings }: PasskeyDeps,
  { ticket, network }: { ticket?: string; network: string },
) {
  await countAttempt(db, PASSKEY_CHALLENGE, network)
  const user = ticket === undefined ? null : (await readTicket(db, ticket)).userId
  const known = user ? await listPasskeys(db, user) : []
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(settings).id,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
  })
  const { challenge: secret } = options
  const challengeId = await addChallenge(db, { purpose: 'use-passkey', userId: null, secret })
  return { challengeId, options }
}

/** The id of the user whose passkey signed the challenge, which is used up; null when none did. */
export async function spendPasskey(
  { db, settings }: PasskeyDeps,
  { challengeId, response }: PasskeyProof,
): Promise<string | null> {
  const asked = { id: challengeId, purpose: 'use-passkey', userId: null } as const
  const challenge = await takeChallenge(db, asked)
  const [passkey] = await db.select().from(passkeys).where(eq(passkeys.credentialId, response.id))
  if (!challenge || !passkey) return null
  const counter = await verifyAuthentication(settings, passkey, response, challenge.secret)
  return counter !== null && (await recordUse(db, passkey.id, counter)) ? passkey.userId : null
}

/** False when another use was counted meanwhile, or the passkey was removed. */
async function recordUse(db: Db, id: string, counter: number): Promise<boolean> {
  const isNext = or(eq(passkeys.counter, 0), lt(passkeys.counter, counter))
  const noted = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), isNext))
    .returning({ id: passkeys.id })
  return noted.length > 0
}
