'use client'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { useNavigate } from '@/components/ui/pending-page'
import type { User } from '@/lib/users/contract'
import { changeUser, resetSecondFactors, useUserDeletion, useUserMutation } from './user-mutations'

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

/** Asks before all second factors of a user are removed. */
export function ResetSecondFactors({ user, onClose }: Props) {
  const reset = useUserMutation(resetSecondFactors(user.userId))
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Reset the second factors of ${user.email}?`}
      description="Their authenticator app, passkeys and recovery codes are removed, and their sessions end. Make sure that it is them who ask: their password alone signs in then."
      confirmLabel="Reset second factors"
      busy={reset.isPending}
      error={reset.error?.message}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => {
            toast.success(`The second factors of ${user.email} are removed`)
            onClose()
          },
        })
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
