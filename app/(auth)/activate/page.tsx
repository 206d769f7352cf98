import type { Metadata } from 'next'
import { connection } from 'next/server'
import { ActivateForm } from '@/components/auth/activate-form'
import { AuthPage } from '@/components/auth/auth-page'

// The address contains a secret, so no referrer is sent.
export const metadata: Metadata = { title: 'Activate your account', referrer: 'no-referrer' }

export default async function ActivatePage({ searchParams }: PageProps<'/activate'>) {
  await connection()
  const { token } = await searchParams
  return (
    <AuthPage title="Activate your account" intro="Activate your account to sign in.">
      <ActivateForm token={typeof token === 'string' ? token : ''} />
    </AuthPage>
  )
}
