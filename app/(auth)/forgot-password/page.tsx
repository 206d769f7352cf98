import type { Metadata } from 'next'
import Link from 'next/link'
import { connection } from 'next/server'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ForgotPasswordForm } from '@/components/auth/forgot-password-form'

export const metadata: Metadata = { title: 'Forgot password' }

export default async function ForgotPasswordPage() {
  await connection() // the headers of each request bear a nonce of their own
  const back = (
    <Link href="/login" className={authLinkClass}>
      Back to sign in
    </Link>
  )
  return (
    <AuthPage
      title="Forgot your password?"
      intro="A mail with a link lets you set a new one; or activates your account, if it waits for that."
      footer={back}
    >
      <ForgotPasswordForm />
    </AuthPage>
  )
}
