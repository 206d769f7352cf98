import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ForgotPasswordForm } from '@/components/auth/forgot-password-form'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Forgot password' }

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
          ? 'A mail with a link lets you set a new one; or activates your account, if it waits for that.'
          : 'A link lets you set a new one; or activates your account, if it waits for that. This server sends no mails: an administrator hands the link on.'
      }
      footer={back}
    >
      <ForgotPasswordForm sendsMail={sendsMail} />
    </AuthPage>
  )
}
