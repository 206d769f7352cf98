'use client'

import { useQuery } from '@tanstack/react-query'
import { MailIcon, RefreshCwIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { PanelSkeleton } from '@/components/entities/panel-skeleton'
import { column, timeColumn } from '@/components/lists/columns'
import { defineList, type Panel } from '@/components/lists/define-list'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { Sheet } from '@/components/ui/sheet'
import { ErrorState } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { Mail } from '@/lib/mail/contract'
import { MAIL_STATUSES } from '@/lib/mail/status'
import { MailPreview } from './mail-preview'
import { type MailRow, mailOptions, mailQuery, useRetryMail } from './mail-queries'
import { MailStatus } from './mail-status'

const FILTERS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: [...MAIL_STATUSES] },
  { name: 'to', label: 'To', kind: 'text' },
  { name: 'subject', label: 'Subject', kind: 'text' },
  { name: 'template', label: 'Template', kind: 'text' },
  { name: 'attempts', label: 'Attempts', kind: 'integer' },
  { name: 'createdAt', label: 'Written', kind: 'datetime' },
  { name: 'sentAt', label: 'Sent', kind: 'datetime' },
  { name: 'error', label: 'Reason', kind: 'text' },
]

const COLUMNS: Column<MailRow>[] = [
  column('subject', 'Subject', 250, null, { fixed: true, opens: true }),
  column('to', 'To', 200),
  column('status', 'Status', 168, ({ status }) => <MailStatus status={status} />),
  column('error', 'Reason', 200),
  column('attempts', 'Attempts', 92, null, { align: 'end' }),
  timeColumn('createdAt', 'Written', { width: 156 }),
  timeColumn('sentAt', 'Sent', { width: 156 }),
  column('template', 'Template', 200, ({ template }) => <Badge>{template}</Badge>, {
    hidden: true,
  }),
]

/** The outbox, the latest mail first. */
export const MailList = defineList<MailRow>({
  label: 'Mails',
  layoutKey: 'mail',
  page: { title: 'Mail', description: <Description /> },
  query: mailQuery,
  toolbar: { searchLabel: 'Search by address or subject', filters: FILTERS },
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ subject, to }) => `${subject} to ${to}`,
  usePanel,
  empty: {
    icon: MailIcon,
    title: 'No mail yet',
    text: 'Invitations and password resets are listed here with their delivery status.',
  },
})

/** The open mail stands in the address of the page. */
function usePanel(): Panel<MailRow> {
  const [opened, setOpened] = useQueryState('mail', parseAsString.withOptions({ history: 'push' }))
  return {
    open: ({ id }) => void setOpened(id),
    panel: opened && <MailPanel key={opened} id={opened} onClose={() => void setOpened(null)} />,
  }
}

function Description() {
  const { sendsMail } = useServerFacts()
  if (sendsMail) return 'Every mail and its delivery status. Content is removed once it is sent.'
  return (
    <>
      No provider is set, so mails are kept here to be read.{' '}
      <Link href="/settings" className="whitespace-nowrap underline underline-offset-2">
        Set one up
      </Link>
    </>
  )
}

/** One mail: its delivery and, as long as it is stored, its content. */
function MailPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useQuery(mailOptions(id))
  return (
    <Sheet
      onClose={onClose}
      title={mail.data?.subject ?? 'Mail'}
      description={mail.data?.to}
      actions={mail.data && <Retry mail={mail.data} />}
    >
      <ErrorState of={mail} />
      {mail.isPending && <PanelSkeleton />}
      {mail.data && <Content mail={mail.data} />}
    </Sheet>
  )
}

function Retry({ mail }: { mail: Mail }) {
  const retry = useRetryMail(mail.id, `“${mail.subject}” is being sent`)
  const { sendsMail } = useServerFacts()
  const possible = (mail.status === 'failed' || mail.status === 'queued') && mail.content
  if (!sendsMail || !possible) return null
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      <RefreshCwIcon aria-hidden />
      {mail.status === 'failed' ? 'Send again' : 'Send now'}
    </Button>
  )
}

function Content({ mail }: { mail: Mail }) {
  const { status, template, attempts, error, createdAt, sentAt, nextAttemptAt, content } = mail
  const { sendsMail } = useServerFacts()
  return (
    <div className="grid gap-5 p-4">
      {!sendsMail && status === 'queued' && (
        <Notice title="Kept in the outbox">
          No mail provider is configured, so this mail is not sent. Pass on its content yourself.
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'Status', value: <MailStatus status={status} /> },
          error ? { label: 'Reason', value: error } : null,
          { label: 'To', value: mail.to },
          content && { label: 'From', value: content.from },
          { label: 'Template', value: template },
          { label: 'Written', value: <Time value={createdAt} /> },
          { label: 'Sent', value: <Time value={sentAt} /> },
          { label: 'Attempts', value: attempts },
          nextAttemptAt && sendsMail
            ? { label: 'Next attempt', value: <Time value={nextAttemptAt} /> }
            : null,
        ]}
      />
      {content ? (
        <MailPreview content={content} />
      ) : (
        <Notice title="The content was removed">
          Content is removed once a mail is sent, because it contains links or a password.
        </Notice>
      )}
    </div>
  )
}
