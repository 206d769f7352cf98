import { listQuery } from '@/components/lists/list-query'
import type { Mail } from '@/lib/mail/contract'

/** A row of `EngineEmails`. */
export type MailRow = Omit<Mail, 'nextAttemptAt' | 'content'>

/** The outbox, the latest mail first. */
export const mailQuery = listQuery('EngineEmails', {
  searchIn: ['to', 'subject'],
  order: { field: 'createdAt', direction: 'desc' },
})
