'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { PasswordInput } from '@/components/auth/password-input'
import { useUnsaved } from '@/components/drafts/use-unsaved'
import { Button } from '@/components/ui/button'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { api } from '@/lib/http/client'

const EMPTY = { currentPassword: '', newPassword: '' }

/** Changes the visitor's own password; their other sessions end. */
export function ChangePasswordForm() {
  const [values, setValues] = useState(EMPTY)
  useUnsaved({
    what: 'Your new password is not saved yet.',
    dirty: values.newPassword !== '',
    onDiscard: () => setValues(EMPTY),
  })
  const change = useMutation({
    mutationFn: () => api('/api/users/me/password', { method: 'PUT', body: values }),
  })

  function submit() {
    change.mutate(undefined, {
      onSuccess: () => {
        setValues(EMPTY)
        toast.success('Password changed. Your other sessions have ended.')
      },
    })
  }

  return (
    <Form
      error={change.error}
      fields={['currentPassword', 'newPassword']}
      onSubmit={submit}
      className="max-w-sm"
    >
      <FormField name="currentPassword" label="Current password">
        <PasswordInput
          autoComplete="current-password"
          value={values.currentPassword}
          onValueChange={(currentPassword) => setValues({ ...values, currentPassword })}
        />
      </FormField>
      <FormField name="newPassword" label="New password" hint="8 to 128 characters">
        <PasswordInput
          measured
          autoComplete="new-password"
          value={values.newPassword}
          onValueChange={(newPassword) => setValues({ ...values, newPassword })}
        />
      </FormField>
      <div>
        <Button type="submit" variant="primary" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  )
}
