'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordInput } from '@/components/auth/password-input'
import { useUnsaved } from '@/components/drafts/unsaved'
import { SecondFactorsCard } from '@/components/second-factors/second-factors-card'
import { SessionsCard } from '@/components/second-factors/sessions-card'
import { useViewer } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Badge } from '@/components/ui/status'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/http/client'

/** The visitor's own account. */
export function ProfileView() {
  const { email, roles } = useViewer()
  return (
    <>
      <Card title="Account">
        <Facts
          facts={[
            { label: 'Email', value: email },
            {
              label: 'Roles',
              value: (
                <span className="flex flex-wrap gap-1">
                  {roles.map((role) => (
                    <Badge key={role}>{role}</Badge>
                  ))}
                </span>
              ),
            },
          ]}
        />
      </Card>
      <Card title="Password">
        <ChangePasswordForm />
      </Card>
      <SecondFactorsCard />
      <SessionsCard />
    </>
  )
}

const EMPTY = { currentPassword: '', newPassword: '' }

/** Changes the visitor's own password; their other sessions end. */
function ChangePasswordForm() {
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
