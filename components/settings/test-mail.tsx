'use client'
import { useMutation } from '@tanstack/react-query'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice, Refusal } from '@/components/ui/notice'
import { apiItem } from '@/lib/http/client'
import type { TestMail as Result } from '@/lib/mail/contract'

/** What can be tried with mails: one to oneself, and how each looks. `email`: whose it is. */
export function TestMail({ email }: { email: string }) {
  const { sendsMail } = useServerFacts()
  const sending = useMutation({
    mutationFn: () => apiItem<Result>('/api/settings/test-mail', { method: 'POST' }),
  })
  return (
    <div className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        {sendsMail && (
          <Button busy={sending.isPending} onClick={() => sending.mutate()}>
            Send a test mail
          </Button>
        )}
        <Link href="/settings/mails" className={buttonClass()}>
          Preview mails
        </Link>
        {sendsMail && <span className="text-[13px] text-muted-foreground">To {email}</span>}
      </div>
      <Refusal of={sending.error} />
      {sending.data && !sending.isPending && <Answer {...sending.data} />}
    </div>
  )
}

const Answer = ({ to, accepted, answer }: Result) => (
  <Notice
    role="status"
    tone={accepted ? 'info' : 'destructive'}
    title={accepted ? `The test mail to ${to} was sent` : `The test mail to ${to} was not sent`}
  >
    <span className="break-words">{answer}</span>
  </Notice>
)
