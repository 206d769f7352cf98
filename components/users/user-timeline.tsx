'use client'
import type { AuditRow } from '@/components/audit/audit-search'
import type { MailRow } from '@/components/mail/mail-search'
import { useServerFacts } from '@/components/shell/server-facts'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { type Event, timelineOf } from './timeline'
import { historySearch, mailsSearch } from './users-search'

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
