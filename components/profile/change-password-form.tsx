'use client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { ApiError, api } from '@/lib/http/client'

const EMPTY = { currentPassword: '', newPassword: '' }

/** Changes the visitor's own password; their sessions elsewhere end. */
export function ChangePasswordForm() {
  const [values, setValues] = useState(EMPTY)
  const change = useMutation({
    mutationFn: () => api('/api/users/me/password', { method: 'PUT', body: values }),
  })
  const error = change.error instanceof ApiError ? change.error : null
  const isPlaced = error?.errorOf('currentPassword') || error?.errorOf('newPassword')

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate(undefined, {
      onSuccess: () => {
        setValues(EMPTY)
        toast.success('Your password is changed; other sessions have ended')
      },
    })
  }

  return (
    <form onSubmit={submit} className="grid max-w-sm gap-4" noValidate>
      {change.error && !isPlaced && (
        <Notice tone="destructive" role="alert">
          {change.error.message}
        </Notice>
      )}
      <FormField label="Current password" error={error?.errorOf('currentPassword')}>
        <Input
          type="password"
          autoComplete="current-password"
          value={values.currentPassword}
          onValueChange={(currentPassword) => setValues({ ...values, currentPassword })}
        />
      </FormField>
      <FormField
        label="New password"
        hint="8 to 128 characters"
        error={error?.errorOf('newPassword')}
      >
        <Input
          type="password"
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
    </form>
  )
}
