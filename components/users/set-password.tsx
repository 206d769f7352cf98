'use client'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import type { User } from '@/lib/users/contract'
import { changeUser, useUserAct } from './user-acts'

/** Sets a password for somebody else, who has to change it at the next sign-in. */
export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const form = useId()
  const [password, setPassword] = useState('')
  const change = useUserAct(changeUser(user.userId))

  function submit() {
    change.mutate(
      { password },
      {
        onSuccess: () => {
          toast.success(`${user.email} has a new password`)
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Set a password for ${user.email}`}
      description="It ends their sessions, and they have to change it at the next sign-in."
      footer={
        <>
          <DialogClose render={<Button />}>Cancel</DialogClose>
          <Button type="submit" form={form} variant="primary" busy={change.isPending}>
            Set password
          </Button>
        </>
      }
    >
      <Form id={form} error={change.error} fields={['password']} onSubmit={submit}>
        <FormField name="password" label="New password" hint="8 to 128 characters">
          <Input
            type="password"
            autoComplete="new-password"
            value={password}
            onValueChange={setPassword}
          />
        </FormField>
      </Form>
    </Dialog>
  )
}
