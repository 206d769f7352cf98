import { asc, eq, sql } from 'drizzle-orm'
import { hasSecondFactor, requiresSecondFactor } from '@/lib/auth/requires-second-factor'
import { type PasskeyRow, passkeys, totpFactors, users } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'

/** What a user can prove their identity with, besides the password. */
export type Method = 'totp' | 'passkey' | 'recovery-code'

export type Account = {
  id: string
  email: string
  passwordHash: string | null
  sessionVersion: number
  hasFactor: boolean
  isRequired: boolean
}

const ACCOUNT = {
  id: users.id,
  email: users.email,
  passwordHash: users.passwordHash,
  sessionVersion: users.sessionVersion,
  hasFactor: hasSecondFactor,
  isRequired: requiresSecondFactor,
}

/** Throws `not_found`. */
export async function readAccount(db: Db, userId: string): Promise<Account> {
  const [found] = await db.select(ACCOUNT).from(users).where(eq(users.id, userId))
  if (!found) throw new AppError('not_found', 'This account no longer exists')
  return found
}

/** The same, after the user's row is locked: changes of the factors of one user follow each other. */
export async function lockAccount(tx: Db, userId: string): Promise<Account> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  return readAccount(tx, userId)
}

export async function findTotp(db: Db, userId: string) {
  const [found] = await db.select().from(totpFactors).where(eq(totpFactors.userId, userId))
  return found ?? null
}

/** The first ones first; at most as many as a user may have. */
export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .limit(MAX_PASSKEYS)

export const MAX_PASSKEYS = 20

/** Notes that the code of `step` was used; false when it, or a later one, was used before. */
export async function spendStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const spent = await tx
    .update(totpFactors)
    .set({ lastStep: step, lastUsedAt: now })
    .where(sql`${totpFactors.userId} = ${userId} and ${totpFactors.lastStep} < ${step}`)
    .returning({ userId: totpFactors.userId })
  return spent.length > 0
}

/** The ways in which the user can pass the second step of a sign-in; none without a factor. */
export async function listMethods(db: Db, userId: string): Promise<Method[]> {
  const totp = await findTotp(db, userId)
  const keys = await listPasskeys(db, userId)
  const methods: Method[] = [...(totp ? (['totp'] as const) : [])]
  if (keys.length > 0) methods.push('passkey')
  return methods.length > 0 ? [...methods, 'recovery-code'] : []
}
