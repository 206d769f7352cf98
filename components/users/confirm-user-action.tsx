'use client'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { useNavigate } from '@/components/ui/pending-page'
import type { User } from '@/lib/users/contract'
import { changeUser, useUserDeletion, useUserMutation } from './user-mutations'

type Props = { user: User; onClose: () => void }

/** Asks before a user is disabled. */
export function DisableUser({ user, onClose }: Props) {
  const disabling = useUserMutation(changeUser(user.userId))
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Disable ${user.email}?`}
      description="Their sessions and API keys stop working immediately. You can enable the account again."
      confirmLabel="Disable user"
      busy={disabling.isPending}
      error={disabling.error?.message}
      onConfirm={() =>
        disabling.mutate(
          { status: 'DISABLED' },
          {
            onSuccess: () => {
              toast.success(`${user.email} is disabled`)
              onClose()
            },
          },
        )
      }
    />
  )
}

/** Asks before an account is deleted permanently. */
export function DeleteUser({ user, onClose }: Props) {
  const navigate = useNavigate()
  const deletion = useUserDeletion(user.userId, () => {
    toast.success(`${user.email} is deleted`)
    navigate('/users')
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${user.email}?`}
      description="The account, its sessions and its API keys are permanently deleted. Past activity stays in the audit log."
      confirmLabel="Delete user"
      typeToConfirm={user.email}
      busy={deletion.isPending}
      error={deletion.error?.message}
      onConfirm={() => deletion.mutate()}
    />
  )
}
