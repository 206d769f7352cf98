import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/auth/auth-page'
import { RestoreBackup } from '@/components/auth/restore-backup'
import { SetUpForm } from '@/components/auth/set-up-form'
import { readRestoreState } from '@/lib/backup/new-server'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Set up' }

export default async function SetUpPage() {
  const { deps } = await publicPageContext()
  if (await isSetUp(deps.db)) redirect('/login')
  return (
    <AuthPage
      title="Create the first administrator"
      intro="There are no users yet. This page is available until the first administrator is created."
    >
      <SetUpForm />
      <RestoreBackup state={await readRestoreState(deps)} />
    </AuthPage>
  )
}
