import { sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { MAIL_STATUSES } from '@/lib/mail/status'
import { createdAt, engine, instant, updatedAt } from './engine'
import { users } from './users'

/**
 * The outbox: a mail is written in the transaction of the change it is about, and sent afterwards.
 */
export const mails = engine.table(
  'mails',
  {
    /** Also the provider's idempotency key. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    to: text('to').notNull(),
    subject: text('subject').notNull(),
    template: text('template').notNull(),
    /** Encrypted; contains links and passwords, so it is deleted when the provider has the mail. */
    body: text('body'),
    status: text('status', { enum: MAIL_STATUSES }).notNull().default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Why the last attempt failed. */
    error: text('error'),
    /** The provider's name for it. */
    providerId: text('provider_id'),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** Attempts that are due later than this are not made. */
    giveUpAt: instant('give_up_at').notNull(),
    /** While sending: the end of the worker's claim. */
    claimedUntil: instant('claimed_until'),
    sentAt: instant('sent_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('mails_created').on(t.createdAt.desc(), t.id),
    index('mails_due').on(t.nextAttemptAt).where(sql`status in ('queued', 'sending')`),
    index('mails_provider').on(t.providerId),
    check(
      'mails_status_known',
      sql`${t.status} in ('queued', 'sending', 'sent', 'delivered', 'bounced', 'failed')`,
    ),
    check('mails_claimed', sql`(${t.status} = 'sending') = (${t.claimedUntil} is not null)`),
  ],
)
export type MailRow = typeof mails.$inferSelect
