import type { Metadata } from 'next'
import { Page } from '@/components/shell/page'
import { UserForm } from '@/components/users/user-form'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'New user' }

export default async function NewUserPage() {
  await pageContext('users:manage')
  return (
    <Page width="narrow" title="New user">
      <UserForm />
    </Page>
  )
}
