import { count, eq } from 'drizzle-orm'
import { passkeys } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { addChallenge, takeChallenge } from './challenge-store'
import { afterAdding, recordChange } from './change-factors'
import { type Caller, requireConfirmed } from './confirm-identity'
import { listPasskeys, lockAccount, MAX_PASSKEYS, readAccount } from './factor-store'
import type { RegistrationResponse } from './passkey-contract'
import { relyingParty, SERVICE, verifyRegistration } from './verify-passkey'

type PasskeyDeps = Pick<Deps, 'db' | 'settings'>

/**
 * What a browser needs to make a passkey, within five minutes. Throws `forbidden` for a session
 * that must confirm first.
 */
export async function offerPasskey({ db, settings }: PasskeyDeps, { actor }: Caller) {
  await requireConfirmed(db, actor)
  const { id, email } = await readAccount(db, actor.userId)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: SERVICE,
    rpID: relyingParty(settings).id,
    userName: email,
    userID: new TextEncoder().encode(id),
    attestationType: 'none',
    excludeCredentials: (await listPasskeys(db, id)).map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge: secret } = options
  const challengeId = await addChallenge(db, { purpose: 'add-passkey', userId: id, secret })
  return { challengeId, options }
}

type Input = { challengeId: string; name: string; response: RegistrationResponse }
export type AddedPasskey = { id: string; recoveryCodes: string[] | null }

/**
 * Adds the passkey that a browser made, with recovery codes when it is the first factor. Throws `invalid_input` for one that was
 * not asked for by this user in the last five minutes, and `conflict` for one that is known or too many.
 */
export async function addPasskey(
  { db, settings }: PasskeyDeps,
  { challengeId, name, response }: Input,
  caller: Caller,
): Promise<AddedPasskey> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  const challenge = await takeChallenge(db, { id: challengeId, purpose: 'add-passkey', userId })
  const made = challenge && (await verifyRegistration(settings, response, challenge.secret))
  if (!made) throw refused()
  return db.transaction(async (tx) => {
    const before = await lockAccount(tx, userId)
    await requireRoom(tx, userId)
    const values = { userId, name, ...made }
    const [added] = await tx
      .insert(passkeys)
      .values(values)
      .onConflictDoNothing()
      .returning({ id: passkeys.id })
    if (!added) throw new AppError('conflict', 'This passkey was added before')
    const recoveryCodes = await afterAdding(tx, before, caller)
    await recordChange(tx, { ...caller, action: 'add-passkey', details: { name } })
    return { id: added.id, recoveryCodes }
  })
}

async function requireRoom(tx: Db, userId: string): Promise<void> {
  const query = tx.select({ number: count() }).from(passkeys)
  const { number } = one(await query.where(eq(passkeys.userId, userId)))
  if (number >= MAX_PASSKEYS)
    throw new AppError('conflict', `You have ${MAX_PASSKEYS} passkeys; remove one first`)
}

function refused(): AppError {
  const error = 'This passkey was not accepted or came too late; try again'
  return new AppError('invalid_input', error, { validations: [{ field: 'response', error }] })
}
