import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { User } from '@/lib/users/contract'
import type { Identity } from '@/lib/users/identity-contract'
import { identitiesOptions, unlinkIdentity, useUserMutation } from './user-queries'

/** The providers by which the user signs in; nothing without any. */
export function LinkedAccounts({ user }: { user: User }) {
  const { data: identities = [] } = useQuery(identitiesOptions(user.userId))
  if (identities.length === 0) return null
  return (
    <Card title="Sign-in providers" flush>
      <ul className="divide-y">
        {identities.map((identity) => (
          <LinkedAccount key={identity.identityId} user={user} identity={identity} />
        ))}
      </ul>
    </Card>
  )
}

function LinkedAccount({ user, identity }: { user: User; identity: Identity }) {
  const [asks, setAsks] = useState(false)
  const { label, email, managesRoles, lastUsedAt } = identity
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{label}</span>
          {managesRoles && <Badge>Manages the roles</Badge>}
        </p>
        <p className="text-[13px] break-words text-muted-foreground">
          {email ? `as ${email}, ` : ''}last used <Time value={lastUsedAt} />
        </p>
      </div>
      <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
        Unlink
      </Button>
      {asks && <UnlinkDialog user={user} identity={identity} onClose={() => setAsks(false)} />}
    </li>
  )
}

type DialogProps = { user: User; identity: Identity; onClose: () => void }

function UnlinkDialog({ user, identity: { identityId, label }, onClose }: DialogProps) {
  const unlink = useUserMutation(unlinkIdentity(user.userId))
  return (
    <ConfirmDialog
      title={`Unlink ${user.email} from ${label}?`}
      description={`Their sessions end. Their next sign-in with ${label} links the account again, if their email is verified there.`}
      confirmLabel="Unlink"
      attempt={unlink}
      onClose={onClose}
      onConfirm={() =>
        unlink.mutate(identityId, {
          onSuccess: () => {
            toast.success(`${user.email} is unlinked from ${label}`)
            onClose()
          },
        })
      }
    />
  )
}
