'use client'
import Link from 'next/link'
import { useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { send } from './auth-api'
import { AuthForm, NEW_PASSWORD } from './auth-form'
import { AuthDone } from './auth-page'

export function ConfirmRegistrationForm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const [isVoid, setVoid] = useState(false)
  if (done) return <AuthDone title="Your account is ready">You can sign in now.</AuthDone>
  return (
    <AuthForm
      fields={[{ ...NEW_PASSWORD, label: 'Password' }]}
      button="Create account"
      submit={async ({ password = '' }) => {
        const refusal = await send('POST', '/api/auth/register/confirm', { token, password })
        setVoid(refusal?.errorOf?.('token') !== undefined)
        setDone(!refusal)
        return refusal
      }}
      remedy={
        isVoid && (
          <Link href="/register" className={buttonClass({ size: 'sm' })}>
            Get a new link
          </Link>
        )
      }
    />
  )
}
