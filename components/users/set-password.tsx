'use client'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { useUnsaved } from '@/components/drafts/use-unsaved'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import type { User } from '@/lib/users/contract'
import { changeUser, useUserMutation } from './user-mutations'

/** Sets a password for another user, who must change it at the next sign-in. */
export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const form = useId()
  const [password, setPassword] = useState('')
  const what = `The new password of ${user.email} is not set yet.`
  const input = useUnsaved({ what, dirty: password !== '' })
  const change = useUserMutation(changeUser(user.userId))

  function submit() {
    change.mutate(
      { password },
      {
        onSuccess: () => {
          input.settle()
          toast.success(`${user.email} has a new password`)
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && input.leave(onClose)}
      title={`Set a password for ${user.email}`}
      description="This ends their sessions. They must change the password at the next sign-in."
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
