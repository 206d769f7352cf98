'use client'
import { ChangePasswordForm } from '@/components/profile/change-password-form'
import { SecondFactorsCard } from '@/components/second-factors/second-factors-card'
import { SessionsCard } from '@/components/second-factors/sessions-card'
import { useViewer } from '@/components/shell/viewer'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { Badge } from '@/components/ui/status'

/** The visitor's own account. */
export function ProfileView() {
  const { email, roles } = useViewer()
  return (
    <>
      <Card title="Account">
        <Facts
          facts={[
            { label: 'E-mail', value: email },
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
