import { useQuery } from '@tanstack/react-query'
import {
  CircleCheckIcon,
  InboxIcon,
  type LucideIcon,
  MailXIcon,
  PackageXIcon,
  UserRoundPlusIcon,
  WebhookIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { MailRow } from '@/components/mail/mail-queries'
import type { History } from '@/components/plugins/searches'
import { useServerFacts } from '@/components/shell/server-facts'
import { useCan } from '@/components/shell/viewer'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { webhooksOptions } from '@/components/webhooks/webhook-queries'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import type { Webhook } from '@/lib/webhooks/contract'
import { ATTENTION } from './dashboard-searches'
import { useKeptMails } from './use-kept-mails'

const filterAddress = (path: string, filter: unknown) =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** What needs attention, or that nothing does. */
export function Attention() {
  const installs = useSearch<History>(
    ATTENTION.failedInstalls.entity,
    ATTENTION.failedInstalls.search,
  )
  const mails = useSearch<MailRow>(ATTENTION.failedMails.entity, ATTENTION.failedMails.search)
  const users = useSearch<User>(ATTENTION.waitingUsers.entity, ATTENTION.waitingUsers.search)
  const { sendsMail } = useServerFacts()
  const kept = useKeptMails(!sendsMail)
  const { stopped, waiting } = useWebhooksInNeed()
  const isPending = installs.isPending || mails.isPending || users.isPending
  const count = (response: typeof installs | typeof mails | typeof users) =>
    response.data?.pagination?.total ?? 0
  if (isPending) return <Skeleton className="h-24 rounded-lg" />
  return (
    <Card title="Needs attention" flush>
      {count(installs) +
        count(mails) +
        count(users) +
        kept.total +
        stopped.length +
        waiting.length ===
        0 && (
        <p className="flex items-center gap-2 px-4 py-4 text-muted-foreground">
          <CircleCheckIcon aria-hidden className="size-4 shrink-0 text-success" />
          Nothing needs attention: no failed installs or mails, and no users waiting for activation.
        </p>
      )}
      <ul className="divide-y">
        <Group
          icon={PackageXIcon}
          title={countOf(count(installs), 'install with failures', 'installs with failures')}
          href={filterAddress('/plugins/history', ATTENTION.failedInstalls.search.query)}
          items={(installs.data?.data ?? []).map(({ id, pluginName, source, startedAt }) => ({
            id,
            href: `/plugins/history/${id}`,
            text: pluginName ?? source,
            at: startedAt,
          }))}
        />
        <Group
          icon={MailXIcon}
          title={countOf(count(mails), 'undelivered mail', 'undelivered mails')}
          href={filterAddress('/mail', ATTENTION.failedMails.search.query)}
          items={mailItems(mails.data?.data)}
        />
        <Group
          icon={InboxIcon}
          title={countOf(kept.total, 'mail kept in the outbox', 'mails kept in the outbox')}
          href={filterAddress('/mail', ATTENTION.keptMails.search.query)}
          items={mailItems(kept.mails)}
        />
        <Group
          icon={WebhookIcon}
          title={countOf(stopped.length, 'stopped webhook', 'stopped webhooks')}
          href="/webhooks"
          items={stopped}
        />
        <Group
          icon={WebhookIcon}
          title={countOf(waiting.length, 'webhook needs an address', 'webhooks need an address')}
          href="/webhooks"
          items={waiting}
        />
        <Group
          icon={UserRoundPlusIcon}
          title={countOf(
            count(users),
            'user waiting for activation',
            'users waiting for activation',
          )}
          href={filterAddress('/users', ATTENTION.waitingUsers.search.query)}
          items={(users.data?.data ?? []).map(({ userId, email, createdAt }) => ({
            id: userId,
            href: `/users/${userId}`,
            text: email,
            at: createdAt,
          }))}
        />
      </ul>
    </Card>
  )
}

/** Those that stopped by themselves, and those of plugins that nobody has given an address. */
function useWebhooksInNeed(): { stopped: Item[]; waiting: Item[] } {
  const mayManage = useCan('webhooks:manage')
  const { data = [] } = useQuery({ ...webhooksOptions, enabled: mayManage })
  const itemOf = ({ id, name }: Webhook, at: string) => ({
    ...{ id, href: `/webhooks/${id}`, text: name, at },
  })
  return {
    stopped: data.flatMap((one) =>
      one.stopped && one.stopped !== 'paused' && one.stoppedAt ? [itemOf(one, one.stoppedAt)] : [],
    ),
    waiting: data.flatMap((one) => (one.url === null ? [itemOf(one, one.createdAt)] : [])),
  }
}

const mailItems = (mails: readonly MailRow[] = []): Item[] =>
  mails.map(({ id, to, subject, createdAt }) => ({
    id,
    href: `/mail?mail=${id}`,
    text: `${subject} to ${to}`,
    at: createdAt,
  }))

type Item = { id: number | string; href: string; text: ReactNode; at: string }
type GroupProps = { icon: LucideIcon; title: string; href: string; items: Item[] }

function Group({ icon: Icon, title, href, items }: GroupProps) {
  if (items.length === 0) return null
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[16rem_1fr]">
      <Link href={href} className="flex items-center gap-2 self-start font-medium hover:underline">
        <Icon aria-hidden className="size-4 shrink-0 text-warning" />
        {title}
      </Link>
      <ul className="grid gap-1">
        {items.map(({ id, href: to, text, at }) => (
          <li key={id} className="flex min-w-0 justify-between gap-4">
            <Link href={to} className="truncate hover:underline">
              {text}
            </Link>
            <span className="shrink-0 text-[13px] text-muted-foreground">
              <Time value={at} relative />
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}
