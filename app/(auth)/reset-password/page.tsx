import type { Metadata } from 'next'
import { connection } from 'next/server'
import { AuthPage } from '@/components/auth/auth-page'
import { ResetPasswordForm } from '@/components/auth/reset-password-form'

// The address contains a secret, so no referrer is sent.
export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' }

export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  await connection()
  const { token } = await searchParams
  return (
    <AuthPage title="Set a new password" intro="This ends all your sessions on every device.">
      <ResetPasswordForm token={typeof token === 'string' ? token : ''} />
    </AuthPage>
  )
}
