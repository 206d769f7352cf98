'use client'
import { useQuery } from '@tanstack/react-query'
import { RefreshCwIcon } from 'lucide-react'
import { toast } from 'sonner'
import { PanelSkeleton } from '@/components/entities/panel-skeleton'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { Sheet } from '@/components/ui/sheet'
import { ErrorState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import type { Mail } from '@/lib/mail/contract'
import { MailPreview } from './mail-preview'
import { mailOptions, useRetryMail } from './mail-queries'
import { MailStatus } from './mail-status'

/** One mail: its delivery and, as long as it is stored, its content. */
export function MailPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useQuery(mailOptions(id))
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={mail.data?.subject ?? 'Mail'}
      description={mail.data?.to}
      actions={mail.data && <Retry mail={mail.data} />}
    >
      {mail.error && <ErrorState error={mail.error} onRetry={() => mail.refetch()} />}
      {mail.isPending && <PanelSkeleton />}
      {mail.data && <Content mail={mail.data} />}
    </Sheet>
  )
}

function Retry({ mail }: { mail: Mail }) {
  const retry = useRetryMail(mail.id)
  const { sendsMail } = useServerFacts()
  const possible = (mail.status === 'failed' || mail.status === 'queued') && mail.content
  if (!sendsMail || !possible) return null
  return (
    <Button
      size="sm"
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(undefined, {
          onSuccess: () => toast.success(`“${mail.subject}” is being sent`),
          onError: (error) => toast.error(error.message),
        })
      }
    >
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
