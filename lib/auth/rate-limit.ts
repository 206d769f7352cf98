import 'server-only'
import { createHash } from 'node:crypto'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimits } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'

/** So many attempts in so many seconds, counted from the first. */
export type RateLimit = { name: string; points: number; seconds: number }

export const SIGN_IN_BY_ACCOUNT: RateLimit = { name: 'sign-in', points: 10, seconds: 15 * 60 }
export const SIGN_IN_BY_CALLER: RateLimit = { name: 'sign-in-from', points: 30, seconds: 5 * 60 }
export const RESET_BY_EMAIL: RateLimit = { name: 'reset', points: 3, seconds: 60 * 60 }
export const RESET_BY_CALLER: RateLimit = { name: 'reset-from', points: 300, seconds: 60 * 60 }

/**
 * Counts one attempt of `subject` (an e-mail or address, kept only as a hash). Throws `rate_limited`
 * with the seconds to wait. Not to be called inside a transaction: a refused attempt must count too.
 */
export async function countAttempt(db: Db, limit: RateLimit, subject: string): Promise<void> {
  try {
    await limiter(db, limit).consume(hashed(subject))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    throw new AppError('rate_limited', `Too many attempts; try again in ${inWords(retryAfter)}`, {
      retryAfter,
    })
  }
}

/** Takes one attempt back: it turned out to be welcome. */
export const forgiveAttempt = (db: Db, limit: RateLimit, subject: string) =>
  limiter(db, limit).reward(hashed(subject))

/** Forgets all attempts of `subject`. */
export const forgetAttempts = (db: Db, limit: RateLimit, subject: string) =>
  limiter(db, limit).delete(hashed(subject))

const limiter = (db: Db, { name, points, seconds }: RateLimit) =>
  new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false, // would be a timer for each call
  })

const hashed = (subject: string) =>
  createHash('sha256').update(subject.trim().toLowerCase()).digest('base64url')

const inWords = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
