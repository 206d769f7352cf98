import type { Metadata } from 'next'
import { connection } from 'next/server'
import { AuthPage } from '@/components/auth/auth-page'
import { ResetPasswordForm } from '@/components/auth/reset-password-form'

// The address holds a secret: nobody is told where a visitor comes from.
export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' }

export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  await connection()
  const { token } = await searchParams
  return (
    <AuthPage title="Set a new password" intro="It ends all your sessions, wherever they are.">
      <ResetPasswordForm token={typeof token === 'string' ? token : ''} />
    </AuthPage>
  )
}
