import { Page } from '@/components/shell/page'
import { UserForm } from '@/components/users/user-form'
import { pageContext } from '@/lib/http/page'
import { previewLetters } from '@/lib/users/preview-letters'

export const metadata = { title: 'New user' }

export default async function NewUserPage() {
  const { deps } = await pageContext('users:manage')
  return (
    <Page width="narrow" title="New user">
      <UserForm letters={previewLetters(deps.settings)} />
    </Page>
  )
}
