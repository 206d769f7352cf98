import Link from 'next/link'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ForgotPasswordForm } from '@/components/auth/forgot-password-form'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Forgot password' }

export default async function ForgotPasswordPage() {
  const { deps } = await publicPageContext()
  const sendsMail = deps.mail !== null
  const back = (
    <Link href="/login" className={authLinkClass}>
      Back to sign in
    </Link>
  )
  return (
    <AuthPage
      title="Forgot your password?"
      intro={
        sendsMail
          ? 'We send you a link to set a new password, or to activate your account if it is not active yet.'
          : 'You need a link to set a new password, or to activate your account if it is not active yet. This server does not send mail: an administrator can give it to you.'
      }
      footer={back}
    >
      <ForgotPasswordForm sendsMail={sendsMail} />
    </AuthPage>
  )
}
