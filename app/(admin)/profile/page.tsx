import { ProfileView } from '@/components/profile/profile-view'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Profile' }

export default async function ProfilePage() {
  await pageContext('signed-in')
  return (
    <Page width="narrow" title="Profile and password">
      <ProfileView />
    </Page>
  )
}
