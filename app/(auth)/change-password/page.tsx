import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/auth/auth-page'
import { ChangePasswordForm } from '@/components/auth/change-password-form'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Change your password' }

/** Users with a generated password can't leave this page until they change it. */
export default async function ChangePasswordPage() {
  const { actor } = await publicPageContext()
  if (!actor) redirect('/login')
  const intro = actor.mustChangePassword
    ? 'Your current password was generated and sent by mail. Choose one that only you know.'
    : 'This ends all your other sessions.'
  return (
    <AuthPage title="Change your password" intro={intro}>
      <ChangePasswordForm />
    </AuthPage>
  )
}
