import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { useActivation } from './activation-link'

type Props = {
  email: string
  /** The mail holds a generated password, too. */
  withPassword: boolean
  /** Leads on to the page of the user. */
  onClose: () => void
}

/** After an account was created without a mail provider: the activation link to pass on. */
export default function UserCreated({ email, withPassword, onClose }: Props) {
  const { mail, link, isPending, error } = useActivation(email)
  return (
    <Dialog
      onClose={onClose}
      title={`${email} is created`}
      footer={
        <>
          {link && <CopyButton showLabel label="Copy link" text={link} />}
          <Button variant="primary" onClick={onClose}>
            Go to the user
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warning" title="The activation mail is kept in the outbox">
          No mail provider is configured, so nothing is sent. Copy the link and pass it on. It is
          valid for 7 days, and the user’s page has it until it is used.
        </Notice>
        {isPending && <Skeleton className="h-16" />}
        {link && <CodeBlock label="the activation link" code={link} wrap />}
        {error && <ErrorState error={error} className="py-4" />}
        {withPassword && mail && (
          <p className="text-[13px] text-muted-foreground">
            They also need their generated password:{' '}
            <Link
              href={`/mail?mail=${mail.id}`}
              className="text-primary underline underline-offset-2"
            >
              read the mail
            </Link>
            .
          </p>
        )}
      </div>
    </Dialog>
  )
}
