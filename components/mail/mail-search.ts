import type { FilterField } from '@/components/data-table/filter/field'
import { type ListParams, toSearch } from '@/components/data-table/list-params'
import type { Mail } from '@/lib/mail/contract'
import { MAIL_STATUSES } from '@/lib/mail/status'
import type { Search } from '@/lib/query/search'

/** A row of `EngineEmails`. */
export type MailRow = Omit<Mail, 'nextAttemptAt' | 'content'>

/** What the outbox can be filtered by. */
export const MAIL_FIELDS: FilterField[] = [
  { name: 'status', label: 'State', kind: 'text', enum: [...MAIL_STATUSES] },
  { name: 'to', label: 'To', kind: 'text' },
  { name: 'subject', label: 'Subject', kind: 'text' },
  { name: 'template', label: 'Template', kind: 'text' },
  { name: 'attempts', label: 'Attempts', kind: 'integer' },
  { name: 'createdAt', label: 'Written', kind: 'datetime' },
  { name: 'sentAt', label: 'Sent', kind: 'datetime' },
  { name: 'error', label: 'Reason', kind: 'text' },
]

const LATEST = { field: 'createdAt', direction: 'desc' as const }

/** The request of the mail page; the latest mail comes first unless sorted otherwise. */
export function mailSearch(params: ListParams): Search {
  const sort = params.sort.length > 0 ? params.sort : [LATEST]
  return { ...toSearch(params, { searchIn: ['to', 'subject'] }), sort }
}
