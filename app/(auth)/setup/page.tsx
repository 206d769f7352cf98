import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/auth/auth-page'
import { SetUpForm } from '@/components/auth/set-up-form'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetUpPage() {
  const { deps } = await publicPageContext()
  if (await isSetUp(deps.db)) redirect('/login')
  return (
    <AuthPage
      title="Create the first administrator"
      intro="Nobody can sign in yet. This page closes as soon as there is an administrator."
    >
      <SetUpForm />
    </AuthPage>
  )
}
