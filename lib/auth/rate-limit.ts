import { createHash } from 'node:crypto'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimits } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'

/**
 * The number of attempts within a time, counted from the first. `advice` ends the error message.
 */
export type RateLimit = { name: string; points: number; seconds: number; advice?: string }

/** What a limit applies to. */
export type Counter = { limit: RateLimit; subject: string }

export const RESET_BY_EMAIL: RateLimit = { name: 'reset', points: 3, seconds: 60 * 60 }
export const RESET_BY_CALLER: RateLimit = { name: 'reset-from', points: 300, seconds: 60 * 60 }
export const NEW_DEVICE_MAIL: RateLimit = { name: 'new-devicemail', points: 5, seconds: 60 * 60 }
/** Of one author of comments. */
export const MENTION_MAIL: RateLimit = { name: 'mention-mail', points: 100, seconds: 60 * 60 }
/** Of one user, whose mail server is asked. */
export const TEST_MAIL: RateLimit = { name: 'test-mail', points: 10, seconds: 10 * 60 }
/** Of one provider of sign-ins. */
export const TEST_PROVIDER: RateLimit = { name: 'test-provider', points: 20, seconds: 10 * 60 }
/** Of one user; NIST SP 800-63B 5.2.2 allows 100 failures in a row. */
export const SECOND_FACTOR: RateLimit = { name: 'second-factor', points: 5, seconds: 15 * 60 }
export const SECOND_FACTOR_OF_DAY: RateLimit = {
  name: 'second-factor-day',
  points: 50,
  seconds: 24 * 60 * 60,
  advice: ', use a passkey, or ask an administrator to reset your second factors',
}
/** Of one network: anyone may ask for one. */
export const PASSKEY_CHALLENGE: RateLimit = {
  name: 'passkey-challenge',
  points: 100,
  seconds: 5 * 60,
}
/** Of one network: anyone may begin one. */
export const PROVIDER_SIGN_IN: RateLimit = { name: 'provider', points: 100, seconds: 5 * 60 }
/** Mails about registrations to one mailbox, whatever they say. */
export const REGISTER_BY_MAILBOX: RateLimit = { name: 'register', points: 3, seconds: 60 * 60 }
export const REGISTER_BY_MAILBOX_OF_DAY: RateLimit = {
  name: 'register-day',
  points: 6,
  seconds: 24 * 60 * 60,
}
/** Of one network: each may send a mail to whom it names. */
export const REGISTER_BY_NETWORK: RateLimit = {
  name: 'register-from',
  points: 60,
  seconds: 60 * 60,
}
/** Of one network: each takes a core for the hash of a password. */
export const CONFIRM_REGISTRATION: RateLimit = {
  name: 'confirm-registration',
  points: 60,
  seconds: 60 * 60,
}
export const PASSWORD_CHANGE: RateLimit = { name: 'change-password', points: 10, seconds: 15 * 60 }

/**
 * Counts one attempt of `subject` (an email or address, kept only as a hash). Throws
 * `rate_limited` with the seconds to wait. Don't call it inside a transaction: a refused attempt
 * must count too.
 */
export async function countAttempt(db: Db, limit: RateLimit, subject: string): Promise<void> {
  try {
    await limiter(db, limit).consume(subjectHash(subject))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw tooMany(limit, refusal)
  }
}

/**
 * Throws `rate_limited` when one of the counters has reached its limit. Counts nothing itself: for
 * attempts that count only when they fail. Returns the counters that are not zero.
 */
export async function requireBelowLimits(db: Db, counters: Counter[]): Promise<Counter[]> {
  const states = await Promise.all(
    counters.map(({ limit, subject }) => limiter(db, limit).get(subjectHash(subject))),
  )
  counters.forEach(({ limit }, index) => {
    const state = states[index]
    if (state && state.consumedPoints >= limit.points) throw tooMany(limit, state)
  })
  return counters.filter((_, index) => (states[index]?.consumedPoints ?? 0) > 0)
}

/** Counts an attempt that failed. */
export async function countFailure(db: Db, counters: Counter[]): Promise<void> {
  for (const { limit, subject } of counters) await limiter(db, limit).penalty(subjectHash(subject))
}

export const forgetAttempts = (db: Db, { limit, subject }: Counter) =>
  limiter(db, limit).delete(subjectHash(subject))

/** The hash under which a subject is stored, which does not reveal it. */
export const subjectHash = (subject: string) =>
  createHash('sha256').update(subject.trim().toLowerCase()).digest('base64url')

const limiter = (db: Db, { name, points, seconds }: RateLimit) =>
  new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false, // would be a timer for each call
  })

function tooMany({ advice = '' }: RateLimit, { msBeforeNext }: RateLimiterRes): AppError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  const message = `Too many attempts; try again in ${inWords(retryAfter)}${advice}`
  return new AppError('rate_limited', message, { retryAfter })
}

const inWords = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
