'use client'
import Link from 'next/link'
import { useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { send } from './auth-api'
import { AuthForm, NEW_PASSWORD } from './auth-form'
import { AuthDone } from './auth-page'

export function ResetPasswordForm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  if (done) return <AuthDone title="Your password is set">You can sign in with it now.</AuthDone>
  return (
    <AuthForm
      fields={[NEW_PASSWORD]}
      button="Set password"
      submit={async ({ password = '' }) => {
        const refusal = await send('POST', '/api/auth/reset-password', { token, password })
        setDone(!refusal)
        return refusal
      }}
      remedy={
        <Link href="/forgot-password" className={buttonClass({ size: 'sm' })}>
          Get a new link
        </Link>
      }
    />
  )
}
