'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRetryMail } from '@/components/mail/mail-queries'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { Facts } from '@/components/ui/facts'
import { Notice } from '@/components/ui/notice'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { User } from '@/lib/users/contract'
import { exactJsonText } from '@/lib/values/exact-json'
import { useActivation } from './activation-link'
import { LinkedAccounts } from './linked-accounts'
import { managedParts } from './managed-parts'
import { UserActions } from './user-actions'
import { userOptions } from './user-queries'
import { UserStatus } from './user-status'
import { UserTimeline } from './user-timeline'

const UserRights = dynamic(() => import('@/components/roles/user-rights'), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
})

/** One user: account, rights and activity. */
export function UserDetail({ userId }: { userId: string }) {
  const user = useQuery(userOptions(userId))
  if (user.error) return <ErrorState of={user} />
  if (!user.data) return <Loading />
  return <Loaded user={user.data} />
}

function Loaded({ user }: { user: User }) {
  useOwnCrumb(user.email)
  const hasProfile = Object.keys(user.profile).length > 0
  return (
    <Page
      width="narrow"
      title={user.email}
      aside={<UserStatus status={user.status} />}
      actions={<UserActions user={user} />}
    >
      {user.managed && <ManagedNotice managed={user.managed} />}
      <StateNotice user={user} />
      {user.status === 'REQUIRED_ACTIVATION' && <ActivationNotice user={user} />}
      <Card title="Account">
        <UserFacts user={user} />
      </Card>
      <Card title="Profile">
        {hasProfile ? (
          <CodeBlock label="the profile" code={exactJsonText(user.profile, 2)} wrap />
        ) : (
          <p className="text-muted-foreground">The profile is empty.</p>
        )}
      </Card>
      <LinkedAccounts user={user} />
      <UserRights user={user} />
      <UserTimeline user={user} />
    </Page>
  )
}

/** What the identity provider decides. */
const ManagedNotice = ({ managed }: { managed: NonNullable<User['managed']> }) => (
  <Notice title="Managed by SCIM">
    Your identity provider decides {['email and status', ...managedParts(managed)].join('; ')}.
    Change them there.
  </Notice>
)

function StateNotice({ user: { status, mustChangePassword } }: { user: User }) {
  const { sendsMail } = useServerFacts()
  if (status === 'REQUIRED_RESET_PASSWORD') {
    return (
      <Notice tone="warning" title="No password yet">
        They can sign in once you set a password or{' '}
        {sendsMail ? 'send a reset mail.' : 'create a reset mail and pass its link on.'}
      </Notice>
    )
  }
  if (status === 'ACTIVATED' && mustChangePassword) {
    return <Notice>They must change their generated password at the next sign-in.</Notice>
  }
  return null
}

const UserFacts = ({ user }: { user: User }) => (
  <Facts
    facts={[
      { label: 'Email', value: user.email },
      {
        label: 'Roles',
        value: (
          <span className="flex flex-wrap gap-1">
            {user.roles.map((role) => (
              <Badge key={role}>{role}</Badge>
            ))}
          </span>
        ),
      },
      { label: 'Created', value: <Time value={user.createdAt} /> },
      { label: 'Activated', value: <Time value={user.activatedAt} /> },
      { label: 'Last sign-in', value: <Time value={user.lastSignInAt} /> },
      { label: 'User ID', value: <span className="font-mono text-xs">{user.userId}</span> },
    ]}
  />
)

const Loading = () => (
  <Page width="narrow" title={<Skeleton className="h-6 w-64" />}>
    <Skeleton className="h-56 rounded-lg" />
    <Skeleton className="h-40 rounded-lg" />
  </Page>
)

/** What became of the activation mail, while the account waits for it. */
function ActivationNotice({ user }: { user: User }) {
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
  const retry = useRetryMail(id, 'The activation mail is being sent')
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      Send again
    </Button>
  )
}
