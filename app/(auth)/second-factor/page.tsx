import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/auth/auth-page'
import { RequiredSetup } from '@/components/second-factors/required-setup'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Set up a second factor' }

/** Users whose role requires a second factor can't leave this page until they have one. */
export default async function SecondFactorPage() {
  const { actor } = await publicPageContext()
  if (!actor) redirect('/login')
  if (actor.mustChangePassword) redirect('/change-password')
  if (!actor.mustSetUpSecondFactor) redirect('/profile')
  return (
    <AuthPage
      title="Set up a second factor"
      intro="Your role requires one: besides your password, you sign in with a code of an app, or with a passkey."
    >
      <RequiredSetup />
    </AuthPage>
  )
}
