import { eq } from 'drizzle-orm'
import { totpFactors } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { addChallenge, findChallenge, takeChallenge } from './challenge-store'
import { afterAdding, afterRemoving, recordChange } from './change-factors'
import { type Caller, requireConfirmed, WRONG_CODE } from './confirm-identity'
import { findTotp, lockAccount, readAccount } from './factor-store'
import {
  countCode,
  forgetCodes,
  newTotp,
  openTotpSecret,
  sealTotpSecret,
  stepOf,
} from './spend-code'
import { SERVICE } from './verify-passkey'

type TotpDeps = Pick<Deps, 'db' | 'secret'>
export type TotpSetup = { setupId: string; secret: string; uri: string }

/**
 * A secret for an authenticator app, which counts once a code of it was confirmed within five
 * minutes. Throws `forbidden` for a session that must confirm first, and `conflict` for a user who has an app.
 */
export async function beginTotp({ db, secret }: TotpDeps, { actor }: Caller): Promise<TotpSetup> {
  await requireConfirmed(db, actor)
  const { id, email } = await readAccount(db, actor.userId)
  if (await findTotp(db, id)) throw hasOne()
  const made = newTotp(email, SERVICE)
  const sealed = sealTotpSecret(secret, id, made.secret)
  const setupId = await addChallenge(db, { purpose: 'totp', userId: id, secret: sealed })
  return { setupId, ...made }
}

/**
 * Adds the app whose code this is. Returns recovery codes with the first factor, else null. Throws
 * `invalid_input` for a wrong code or a set-up that has expired, `conflict` and `rate_limited`.
 */
export async function finishTotp(
  { db, secret }: TotpDeps,
  { setupId, code }: { setupId: string; code: string },
  caller: Caller,
): Promise<string[] | null> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  const begun = await findChallenge(db, setupId, 'totp')
  const opened = begun?.userId === userId ? openTotpSecret(secret, userId, begun.secret) : null
  if (!begun || !opened) throw fault('setupId', EXPIRED)
  await countCode(db, userId)
  const step = stepOf(opened, code.replace(/\s/g, ''))
  if (step === null) throw fault('code', WRONG_CODE)
  const codes = await db.transaction(async (tx) => {
    const before = await lockAccount(tx, userId)
    if (!(await takeChallenge(tx, { id: setupId, purpose: 'totp', userId })))
      throw fault('setupId', EXPIRED)
    if (await findTotp(tx, userId)) throw hasOne()
    await tx.insert(totpFactors).values({ userId, secret: begun.secret, lastStep: step })
    const made = await afterAdding(tx, before, caller)
    await recordChange(tx, { ...caller, action: 'add-totp' })
    return made
  })
  await forgetCodes(db, userId)
  return codes
}

const EXPIRED = 'This set-up has expired; begin again'

const hasOne = () =>
  new AppError('conflict', 'You have an authenticator app; remove it before you add another one')

const fault = (field: string, error: string) =>
  new AppError('invalid_input', error, { validations: [{ field, error }] })

/**
 * Removes the caller's authenticator app. Throws `forbidden` for a session that must confirm first,
 * `not_found`, and `conflict` for the last factor of a user whose role requires one.
 */
export async function removeTotp({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<void> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const query = tx.delete(totpFactors).where(eq(totpFactors.userId, userId))
    const removed = await query.returning({ userId: totpFactors.userId })
    if (removed.length === 0) throw new AppError('not_found', 'You have no authenticator app')
    await afterRemoving(tx, userId)
    await recordChange(tx, { ...caller, action: 'remove-totp' })
  })
}
