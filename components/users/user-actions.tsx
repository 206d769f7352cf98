'use client'
import { MoreHorizontalIcon, PencilIcon } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { mailGoes } from '@/components/mail/delivery'
import { useServerFacts } from '@/components/shell/server-facts'
import { useViewer } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { User } from '@/lib/users/contract'
import { DeleteUser, DisableUser } from './confirm-user-act'
import { CopyActivationLink } from './copy-activation-link'
import { EditUser } from './edit-user'
import { SetPassword } from './set-password'
import { changeUser, endSessions, sendActivation, sendReset, useUserAct } from './user-acts'

type Step = 'edit' | 'password' | 'disable' | 'delete'

/** What can be done to a user in their present state. */
export function UserActions({ user }: { user: User }) {
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const isSelf = useViewer().userId === user.userId
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
        <MenuSeparator />
        {user.status === 'DISABLED' ? (
          <EnableItem user={user} />
        ) : (
          <MenuItem onClick={() => setStep('disable')}>Disable</MenuItem>
        )}
        <MenuItem tone="destructive" onClick={() => setStep('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {step === 'edit' && <EditUser user={user} onClose={close} />}
      {step === 'password' && <SetPassword user={user} onClose={close} />}
      {step === 'disable' && <DisableUser user={user} onClose={close} />}
      {step === 'delete' && <DeleteUser user={user} onClose={close} />}
    </>
  )
}

function MailItems({ user }: { user: User }) {
  const facts = useServerFacts()
  const activation = useUserAct(sendActivation(user.userId))
  const reset = useUserAct(sendReset(user.email))
  const told = (text: string) => ({
    onSuccess: () => toast.success(text),
    onError: (error: Error) => toast.error(error.message),
  })
  if (user.status === 'DISABLED') return null
  return user.status === 'REQUIRED_ACTIVATION' ? (
    <MenuItem
      onClick={() =>
        activation.mutate(undefined, told(mailGoes(facts, 'A new activation mail', user.email)))
      }
    >
      {facts.sendsMail ? 'Send the activation mail again' : 'Write a new activation mail'}
    </MenuItem>
  ) : (
    <MenuItem
      onClick={() => reset.mutate(undefined, told(mailGoes(facts, 'A reset mail', user.email)))}
    >
      {facts.sendsMail ? 'Send a password reset' : 'Write a password reset mail'}
    </MenuItem>
  )
}

function EndSessionsItem({ user }: { user: User }) {
  const ending = useUserAct(endSessions(user.userId))
  return (
    <MenuItem
      onClick={() =>
        ending.mutate(undefined, {
          onSuccess: () => toast.success(`${user.email} has to sign in again everywhere`),
          onError: (error) => toast.error(error.message),
        })
      }
    >
      End all sessions
    </MenuItem>
  )
}

function EnableItem({ user }: { user: User }) {
  const enabling = useUserAct(changeUser(user.userId))
  return (
    <MenuItem
      onClick={() =>
        enabling.mutate(
          { status: 'ACTIVATED' },
          {
            onSuccess: () => toast.success(`${user.email} may sign in again`),
            onError: (error) => toast.error(error.message),
          },
        )
      }
    >
      Enable
    </MenuItem>
  )
}
