'use client'
import Link from 'next/link'
import { useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { send } from './auth-api'
import { AuthForm } from './auth-form'
import { AuthDone } from './auth-page'

/** Waits for a click: programs that scan mails open links too. */
export function ActivateForm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  if (done) return <AuthDone title="Your account is active">You can sign in now.</AuthDone>
  return (
    <AuthForm
      fields={[]}
      button="Activate account"
      submit={async () => {
        const refusal = await send('POST', '/api/auth/activate-account', { token })
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
