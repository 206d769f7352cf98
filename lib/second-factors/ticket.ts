import 'server-only'
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { addChallenge, type Challenge, findChallenge, takeChallenge } from './challenge-store'

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

type Owner = { id: string; sessionVersion: number }

/** Proves for five minutes that the password was right; works once. Only a hash is kept. */
export async function issueTicket(db: Db, user: Owner): Promise<string> {
  const id = randomUUID()
  const secret = randomBytes(32).toString('base64url')
  const { id: userId, sessionVersion } = user
  const challenge = { id, purpose: 'sign-in', userId, sessionVersion } as const
  await addChallenge(db, { ...challenge, secret: hashOf(secret) })
  return `${id}.${secret}`
}

/** Throws `unauthenticated` for a ticket that is unknown, used or expired. */
export async function readTicket(db: Db, ticket: string): Promise<Challenge & { userId: string }> {
  const [id = '', secret = ''] = ticket.split('.')
  const found = await findChallenge(db, id, 'sign-in')
  const userId = found?.userId
  if (!found || !userId || !isSame(found.secret, hashOf(secret))) throw voidTicket()
  return { ...found, userId }
}

/** Uses the ticket up: of concurrent callers one succeeds. Throws `unauthenticated` for the others. */
export async function spendTicket(tx: Db, { id, userId }: Challenge): Promise<void> {
  if (!(await takeChallenge(tx, { id, purpose: 'sign-in', userId }))) throw voidTicket()
}

// In constant time: the time taken must not reveal how much of a guess was right.
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

export const voidTicket = () =>
  new AppError('unauthenticated', 'This sign-in has expired; enter your password again', {
    meta: { secondFactor: { ticket: null, methods: [] } },
  })
