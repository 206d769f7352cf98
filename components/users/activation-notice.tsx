import { toast } from 'sonner'
import { useRetryMail } from '@/components/mail/mail-queries'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { User } from '@/lib/users/contract'
import { useActivation } from './activation-link'

/** What became of the activation mail, while the account waits for it. */
export function ActivationNotice({ user }: { user: User }) {
  const { sendsMail } = useServerFacts()
  const { mail } = useActivation(user.email)
  if (!mail) return null
  if (!sendsMail && mail.status === 'queued') {
    return (
      <Notice title="The activation mail is kept in the outbox">
        No mail provider is configured, so nothing is sent. Copy the activation link and pass it on.
      </Notice>
    )
  }
  if (mail.status !== 'failed' && mail.status !== 'bounced') return null
  return (
    <Notice
      tone="destructive"
      title={`The activation mail ${mail.status === 'failed' ? 'could not be sent' : 'bounced'}`}
      actions={sendsMail && mail.status === 'failed' && <SendAgain id={mail.id} />}
    >
      {mail.error ?? 'The provider gave no reason.'}
    </Notice>
  )
}

function SendAgain({ id }: { id: string }) {
  const retry = useRetryMail(id)
  return (
    <Button
      size="sm"
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(undefined, {
          onSuccess: () => toast.success('The activation mail is being sent'),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      Send again
    </Button>
  )
}
