'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Form } from '@/components/ui/form'
import { toast } from '@/components/ui/toast'
import { RolesField } from '@/components/users/roles-field'
import { api } from '@/lib/http/client'

/** The roles whose users must have a second factor. `roles`: as they are now. */
export function RequiredRolesCard({ roles }: { roles: string[] }) {
  const [saved, setSaved] = useState(roles)
  const [chosen, setChosen] = useState(roles)
  const saving = useMutation({
    mutationFn: () =>
      api<{ roles: string[] }>('/api/settings/second-factor', {
        method: 'PUT',
        body: { roles: chosen },
      }),
    onSuccess: () => {
      setSaved(chosen)
      toast.success(
        chosen.length === 0 ? 'No role requires a second factor' : 'Second factor required',
      )
    },
  })
  const isChanged = [...chosen].sort().join('\n') !== [...saved].sort().join('\n')
  return (
    <Card title="Second factor">
      <Form error={saving.error} fields={['roles']} onSubmit={() => saving.mutate()}>
        <p className="text-[13px] text-muted-foreground">
          Users of these roles need an authenticator app or a passkey. Those who have none set one
          up at their next request, before they can do anything else. API keys are not affected.
        </p>
        <RolesField roles={chosen} onChange={setChosen} />
        <div>
          <Button type="submit" variant="primary" disabled={!isChanged} busy={saving.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </Card>
  )
}
