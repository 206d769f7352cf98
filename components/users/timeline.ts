import { eventWords } from '@/components/audit/action-words'
import type { AuditRow } from '@/components/audit/audit-search'
import type { MailRow } from '@/components/mail/mail-search'
import type { ServerFacts } from '@/components/shell/server-facts'
import type { User } from '@/lib/users/contract'

/** Something that happened to a user. */
export type Event = { at: string; title: string; detail?: string; href?: string }

/** The history of a user from their row, their mails and the audit log; the latest first. */
export function timelineOf(
  user: User,
  mails: readonly MailRow[],
  audit: readonly AuditRow[],
  facts: ServerFacts,
): Event[] {
  // The audit log may have been truncated; the row still has the latest sign-in.
  const isLogged = audit.some(({ action }) => action === 'users.sign-in')
  const signIn =
    user.lastSignInAt && !isLogged ? [{ at: user.lastSignInAt, title: 'Signed in' }] : []
  const events = [
    ...signIn,
    ...mails.flatMap((mail) => mailEvents(mail, facts)),
    ...audit.map(auditEvent),
  ]
  return events.sort((a, b) => (a.at < b.at ? 1 : -1))
}

function mailEvents(
  { id, subject, status, error, createdAt, sentAt }: MailRow,
  { sendsMail }: ServerFacts,
): Event[] {
  const href = `/mail?mail=${id}`
  const waits = status === 'queued' && !sendsMail
  const title = `Mail “${subject}” ${waits ? 'kept in the outbox' : 'written'}`
  const queued: Event = { at: createdAt, title, href }
  const outcome = OUTCOMES[status]
  if (!outcome) return [queued]
  return [
    queued,
    {
      at: sentAt ?? createdAt,
      title: `Mail “${subject}” ${outcome}`,
      detail: error ?? undefined,
      href,
    },
  ]
}

const OUTCOMES: Partial<Record<MailRow['status'], string>> = {
  sent: 'sent',
  delivered: 'delivered',
  bounced: 'bounced',
  failed: 'failed',
}

function auditEvent({ createdAt, action, actorName, id }: AuditRow): Event {
  const title = TITLES[action] ?? eventWords(action)
  const href = `/audit?filter=${encodeURIComponent(JSON.stringify([{ field: 'id', operator: 'eq', value: id }]))}`
  return { at: createdAt, title, detail: actorName ? `By ${actorName}` : undefined, href }
}

const TITLES: Record<string, string> = {
  'users.create': 'Account created',
  'users.update': 'Changed',
  'users.activate': 'Activated',
  'users.send-activation': 'Activation mail requested again',
  'users.change-password': 'Password changed',
  'users.change-password-failed': 'Password change failed: wrong password',
  'users.reset-password': 'Password reset',
  'users.forget-password': 'Password reset requested',
  'users.sign-in': 'Signed in',
  'users.sign-in-failed': 'Sign-in failed',
  'users.sign-out': 'Signed out',
  'users.end-sessions': 'Sessions ended',
}
