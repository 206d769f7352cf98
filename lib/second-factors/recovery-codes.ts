import { createHash, randomInt } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import { recoveryCodes } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'

/** Without characters that look alike: 0 o, 1 i l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const COUNT = 10
const GROUPS = 4
const GROUP_LENGTH = 4

/** `k3fp-…`: 79 random bits, so that a fast hash is enough. */
const newCode = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

/** Of letters and digits alone; the user's id is the salt. */
const hashOf = (userId: string, code: string) =>
  createHash('sha256')
    .update(`${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest('base64url')

/** Makes ten codes in place of those that the user had. They can't be read again. */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, userId)
  const codes = Array.from({ length: COUNT }, newCode)
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: hashOf(userId, code) })))
  return codes
}

/** Whether this is a code of the user, which is used up by it: one of many concurrent callers succeeds. */
export async function spendRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const hash = hashOf(userId, code)
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)))
    .returning({ hash: recoveryCodes.hash })
  return used.length > 0
}

export const dropRecoveryCodes = (tx: Db, userId: string) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const query = db.select({ left: count() }).from(recoveryCodes)
  return one(await query.where(eq(recoveryCodes.userId, userId))).left
}
