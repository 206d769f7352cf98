import { eventWords } from '@/components/audit/action-words'
import type { AuditRow } from '@/components/audit/audit-search'
import type { MailRow } from '@/components/mail/mail-queries'
import { type ServerFacts, useServerFacts } from '@/components/shell/server-facts'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { historySearch, mailsSearch } from './user-queries'

/** The activity of a user, the latest first. */
export function UserTimeline({ user }: { user: User }) {
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch([user.email]))
  const audit = useSearch<AuditRow>('EngineAuditLog', historySearch(user.userId))
  const facts = useServerFacts()
  const error = mails.error ?? audit.error
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={() => void Promise.all([mails.refetch(), audit.refetch()])}
      />
    )
  return (
    <Card title="Activity">
      {mails.data && audit.data ? (
        <ol className="grid gap-3">
          {timelineOf(user, mails.data.data, audit.data.data, facts).map((event) => (
            <TimelineRow key={`${event.at} ${event.title}`} {...event} />
          ))}
        </ol>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Card>
  )
}

const TimelineRow = ({ at, title, detail, href }: Event) => (
  <li className="grid gap-x-4 sm:grid-cols-[11rem_1fr]">
    <span className="tabular text-[13px] text-muted-foreground">
      <Time value={at} />
    </span>
    <span className="min-w-0">
      {href ? (
        <Link href={href} className="hover:underline">
          {title}
        </Link>
      ) : (
        title
      )}
      {detail && <span className="block text-[13px] text-muted-foreground">{detail}</span>}
    </span>
  </li>
)

/** Something that happened to a user. */
type Event = { at: string; title: string; detail?: string; href?: string }

/** The history of a user from their row, their mails and the audit log; the latest first. */
function timelineOf(
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

function auditEvent(row: AuditRow): Event {
  const { createdAt, action, actorName, id } = row
  const title = TITLES[action] ?? eventWords(row)
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
  'users.register': 'Account requested again',
  'users.sign-in': 'Signed in',
  'users.sign-in-failed': 'Sign-in failed',
  'users.sign-out': 'Signed out',
  'users.end-sessions': 'Sessions ended',
}
