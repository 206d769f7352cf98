import { MoreHorizontalIcon, PencilIcon } from 'lucide-react'
import { useState } from 'react'
import { mailGoes } from '@/components/mail/mail-queries'
import { useServerFacts } from '@/components/shell/server-facts'
import { useCan, useViewer } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import type { User } from '@/lib/users/contract'
import { useActivation } from './activation-link'
import { EditUser, SetPassword } from './edit-user'
import { EraseUser } from './erase-user'
import { ExportUser } from './export-user'
import {
  changeUser,
  deleteUser,
  endSessions,
  resetSecondFactors,
  sendActivation,
  sendReset,
  useUserDeletion,
  useUserMutation,
} from './user-queries'

type Step = 'edit' | 'password' | 'factors' | 'export' | 'disable' | 'delete' | 'erase'

/** The actions on a user in their current state. */
export function UserActions({ user }: { user: User }) {
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const mayReset = useCan('security:manage')
  const isSelf = useViewer().userId === user.userId
  // The identity provider disables and deletes them.
  const isManaged = user.managed !== undefined
  return (
    <>
      {user.status === 'REQUIRED_ACTIVATION' && <CopyActivationLink user={user} />}
      <Button onClick={() => setStep('edit')}>
        <PencilIcon aria-hidden />
        Edit
      </Button>
      <Menu
        trigger={
          <Button size="icon" aria-label="More actions">
            <MoreHorizontalIcon aria-hidden />
          </Button>
        }
      >
        <MailItems user={user} />
        {!isSelf && <MenuItem onClick={() => setStep('password')}>Set a password</MenuItem>}
        {!isSelf && user.status === 'ACTIVATED' && <EndSessionsItem user={user} />}
        {!isSelf && mayReset && (
          <MenuItem onClick={() => setStep('factors')}>Reset second factors</MenuItem>
        )}
        {mayReset && <MenuItem onClick={() => setStep('export')}>Export all data</MenuItem>}
        <MenuSeparator />
        {user.status === 'DISABLED' ? (
          <EnableItem user={user} />
        ) : (
          <MenuItem disabled={isManaged} onClick={() => setStep('disable')}>
            Disable
          </MenuItem>
        )}
        <MenuItem tone="destructive" disabled={isManaged} onClick={() => setStep('delete')}>
          Delete
        </MenuItem>
        {!isSelf && mayReset && (
          <MenuItem tone="destructive" disabled={isManaged} onClick={() => setStep('erase')}>
            Erase everywhere
          </MenuItem>
        )}
      </Menu>
      {step === 'edit' && <EditUser user={user} onClose={close} />}
      {step === 'password' && <SetPassword user={user} onClose={close} />}
      {step === 'factors' && <ResetSecondFactors user={user} onClose={close} />}
      {step === 'disable' && <DisableUser user={user} onClose={close} />}
      {step === 'export' && <ExportUser user={user} onClose={close} />}
      {step === 'delete' && <DeleteUser user={user} onClose={close} />}
      {step === 'erase' && <EraseUser user={user} onClose={close} />}
    </>
  )
}

/**
 * Shows the outcome of an action. The items of a menu unmount before the response arrives, so
 * callbacks given to `mutate` would not be called.
 */
const announce = (act: Promise<unknown>, text: string): void =>
  void act.then(
    () => toast.success(text),
    (error: Error) => toast.error(error.message),
  )

function MailItems({ user: { userId, email, status } }: { user: User }) {
  const facts = useServerFacts()
  const activation = useUserMutation(sendActivation(userId))
  const reset = useUserMutation(sendReset(email))
  if (status === 'DISABLED') return null
  const isActivation = status === 'REQUIRED_ACTIVATION'
  const send = () => {
    const what = isActivation ? 'A new activation mail' : 'A reset mail'
    const sending = (isActivation ? activation : reset).mutateAsync(undefined)
    announce(sending, mailGoes(facts, what, email))
  }
  const [again, made] = isActivation
    ? ['Send the activation mail again', 'Create a new activation mail']
    : ['Send a password reset', 'Create a password reset mail']
  return <MenuItem onClick={send}>{facts.sendsMail ? again : made}</MenuItem>
}

function EndSessionsItem({ user: { userId, email } }: { user: User }) {
  const ending = useUserMutation(endSessions(userId))
  const end = () =>
    announce(ending.mutateAsync(undefined), `${email} must sign in again on every device`)
  return <MenuItem onClick={end}>End all sessions</MenuItem>
}

function EnableItem({ user: { userId, email, managed } }: { user: User }) {
  const enabling = useUserMutation(changeUser(userId))
  const enable = () =>
    announce(enabling.mutateAsync({ status: 'ACTIVATED' }), `${email} can sign in again`)
  return (
    <MenuItem disabled={managed !== undefined} onClick={enable}>
      Enable
    </MenuItem>
  )
}

type Props = { user: User; onClose: () => void }

/** Asks before a user is disabled. */
function DisableUser({ user, onClose }: Props) {
  const disabling = useUserMutation(changeUser(user.userId))
  const onSuccess = () => {
    toast.success(`${user.email} is disabled`)
    onClose()
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Disable ${user.email}?`}
      description="Their sessions and API keys stop working immediately. You can enable the account again."
      confirmLabel="Disable user"
      attempt={disabling}
      onConfirm={() => disabling.mutate({ status: 'DISABLED' }, { onSuccess })}
    />
  )
}

/** Asks before all second factors of a user are removed. */
function ResetSecondFactors({ user, onClose }: Props) {
  const reset = useUserMutation(resetSecondFactors(user.userId))
  const onSuccess = () => {
    toast.success(`The second factors of ${user.email} are removed`)
    onClose()
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Reset the second factors of ${user.email}?`}
      description="Their authenticator app, passkeys and recovery codes are removed, and their sessions end. Make sure that it is them who ask: their password alone signs in then."
      confirmLabel="Reset second factors"
      attempt={reset}
      onConfirm={() => reset.mutate(undefined, { onSuccess })}
    />
  )
}

/** Asks before an account is deleted permanently. */
function DeleteUser({ user, onClose }: Props) {
  const navigate = useNavigate()
  const deletion = useUserDeletion(user.userId, {
    act: deleteUser(user.userId),
    onDeleted: () => {
      toast.success(`${user.email} is deleted`)
      navigate('/users')
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${user.email}?`}
      description="The account, its sessions and its API keys are permanently deleted. Past activity stays in the audit log, with their email; to remove that too, erase them everywhere."
      confirmLabel="Delete user"
      typeToConfirm={user.email}
      attempt={deletion}
      onConfirm={() => deletion.mutate()}
    />
  )
}

/** The link of the latest activation mail, as long as the outbox stores its content. */
function CopyActivationLink({ user }: { user: User }) {
  const { link } = useActivation(user.email)
  return link ? <CopyButton showLabel label="Copy activation link" text={link} /> : null
}
