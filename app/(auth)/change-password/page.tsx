import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/auth/auth-page'
import { ChangePasswordForm } from '@/components/auth/change-password-form'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Change your password' }

/** Where those are kept whose password was made for them. */
export default async function ChangePasswordPage() {
  const { actor } = await publicPageContext()
  if (!actor) redirect('/login')
  const intro = actor.mustChangePassword
    ? 'Yours was made for you and came by mail. Choose one that only you know.'
    : 'It ends all your other sessions.'
  return (
    <AuthPage title="Change your password" intro={intro}>
      <ChangePasswordForm />
    </AuthPage>
  )
}
